import { expect, it } from 'vitest';
import { isQuiet, minutesOf, readQuietHours, usualQuietHours } from './quiet-hours.ts';

const at = (hours: number, minutes = 0): number => new Date(2026, 10, 20, hours, minutes).getTime();
const hours = (from: string, to: string) => ({ on: true, from, to });

it.each([
  ['before they begin', hours('22:00', '08:00'), at(21, 59), false],
  ['as they begin', hours('22:00', '08:00'), at(22), true],
  ['after midnight', hours('22:00', '08:00'), at(3), true],
  ['as they end', hours('22:00', '08:00'), at(8), false],
  ['within a day', hours('12:30', '13:00'), at(12, 45), true],
  ['after them on the same day', hours('12:30', '13:00'), at(13), false],
  ['from and to the same time', hours('09:00', '09:00'), at(15), true],
  ['while they are off', { ...hours('00:00', '23:59'), on: false }, at(3), false],
] as const)('quiet hours %s: that is %s', (_, quiet, now, expected) => {
  expect(isQuiet(quiet, now)).toBe(expected);
});

it('a time of day is read as people write it, and nothing else is', () => {
  expect(['7:05', '07:05', ' 23:59 '].map(minutesOf)).toEqual([425, 425, 1439]);
  expect(['24:00', '7:60', '7', 'noon', ''].map(minutesOf)).toEqual([null, null, null, null, null]);
});

it('quiet hours that were stored wrongly are as at first, each part for itself', () => {
  expect(readQuietHours({ on: true, from: '23:30', to: 'late' })).toEqual({
    on: true,
    from: '23:30',
    to: '08:00',
  });
  expect(readQuietHours(7)).toEqual(usualQuietHours);
});
