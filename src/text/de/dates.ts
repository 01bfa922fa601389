/** Days and times as they are written in German. */
import { datesFor } from '../dates.ts';

export const dates = datesFor('de-DE');
