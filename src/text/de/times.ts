import { count } from './figures.ts';

/** "einmal", "12-mal". */
export const timesOf = (times: number): string => (times === 1 ? 'einmal' : `${count(times)}-mal`);
