import { dates } from '../text.ts';

/** Milliseconds since the epoch → "10:38", in the time zone of this computer. */
export const timeOfDay = (at: number): string => dates.timeOfDay(at);

/** "22 Nov 2026, 10:38". */
export const timeAndDay = (at: number): string => dates.timeAndDay(at);
