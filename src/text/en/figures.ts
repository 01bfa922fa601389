/** Figures as they are written in English. */
import { figuresFor } from '../format.ts';

export const figures = figuresFor('en-US');

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
