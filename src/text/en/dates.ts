/** Days and times as they are written in English. */
import { datesFor } from '../dates.ts';

export const dates = datesFor('en-GB');
