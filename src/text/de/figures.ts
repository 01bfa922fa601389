/** Figures as they are written in German. */
import { figuresFor } from '../format.ts';

export const figures = figuresFor('de-DE');

export const {
  bytes,
  clock,
  count,
  downloadBytes,
  gigabytes,
  number,
  percent,
  plural,
  precise,
  roughCount,
  seconds,
  tenths,
  tokenRate,
} = figures;
