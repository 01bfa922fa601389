import { dates } from '../../text.ts';

/** A day as people write it: "14 Nov 2026". */
export const dayOf = (at: number): string => dates.dayOf(at);
