import { expect, it } from 'vitest';
import { datesFor } from './dates.ts';

const at = new Date(2026, 10, 14, 9, 5).getTime();

it('English days and times are written as in Britain', () => {
  const dates = datesFor('en-GB');
  expect([dates.timeOfDay(at), dates.timeAndDay(at), dates.dayOf(at), dates.shortDay(at)]).toEqual([
    '09:05',
    '14 Nov 2026, 09:05',
    '14 Nov 2026',
    '14 Nov',
  ]);
  expect([dates.shortWeekday(at), dates.weekdayAndTime(at), dates.weekday(0)]).toEqual([
    'Sat',
    'Sat 09:05',
    'Sunday',
  ]);
});

it('German days and times are written as in Germany', () => {
  const dates = datesFor('de-DE');
  expect([dates.timeOfDay(at), dates.dayOf(at), dates.shortWeekday(at), dates.weekday(1)]).toEqual([
    '09:05',
    '14.11.2026',
    'Sa',
    'Montag',
  ]);
});

it('German names with an umlaut are sorted beside their vowel', () => {
  expect(['Zebra', 'Ärger', 'Apfel'].toSorted(datesFor('de-DE').compare)).toEqual([
    'Apfel',
    'Ärger',
    'Zebra',
  ]);
});
