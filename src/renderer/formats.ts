/** Figures in the language that the window has when they are written. */
import type { Figures } from '../text/format.ts';
import { figures } from './text.ts';

export const bytes: Figures['bytes'] = (value) => figures.bytes(value);
export const clock: Figures['clock'] = (ms) => figures.clock(ms);
export const count: Figures['count'] = (value) => figures.count(value);
export const downloadBytes: Figures['downloadBytes'] = (value) => figures.downloadBytes(value);
export const gigabytes: Figures['gigabytes'] = (value) => figures.gigabytes(value);
export const money: Figures['money'] = (nano, currency) => figures.money(nano, currency);
export const number: Figures['number'] = (value) => figures.number(value);
export const parseNumber: Figures['parseNumber'] = (typed) => figures.parseNumber(typed);
export const percent: Figures['percent'] = (ratio) => figures.percent(ratio);
export const seconds: Figures['seconds'] = (ms) => figures.seconds(ms);
export const tenths: Figures['tenths'] = (ms) => figures.tenths(ms);
export const tokenRate: Figures['tokenRate'] = (tokens, ms) => figures.tokenRate(tokens, ms);

/** What was typed as a whole number within limits; null = it is none. */
export function parseWhole(typed: string, least: number, most: number): number | null {
  const value = parseNumber(typed);
  return value !== null && Number.isInteger(value) && value >= least && value <= most ? value : null;
}
