import { expect, it } from 'vitest';
import type { JobWhen } from '../protocol/schedule-methods.ts';
import { cronProblem, lastRun, nextRun } from './next-run.ts';

const at = (text: string): number => Date.parse(text);
const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString());
const cron = (expression: string, timeZone = 'Europe/Berlin'): JobWhen => ({
  kind: 'cron',
  expression,
  timeZone,
});
const made = at('2026-01-01T00:00:30Z');

it.each<[string, JobWhen, string, string | null]>([
  [
    'a time to come',
    { kind: 'once', at: at('2026-05-01T10:00:00Z') },
    '2026-05-01T09:00:00Z',
    '2026-05-01T10:00:00.000Z',
  ],
  ['a time that is now', { kind: 'once', at: at('2026-05-01T10:00:00Z') }, '2026-05-01T10:00:00Z', null],
  [
    'the first interval',
    { kind: 'interval', everyMs: 3_600_000 },
    '2026-01-01T00:00:30Z',
    '2026-01-01T01:00:30.000Z',
  ],
  [
    'a later interval',
    { kind: 'interval', everyMs: 3_600_000 },
    '2026-01-03T05:00:30Z',
    '2026-01-03T06:00:30.000Z',
  ],
  [
    'an interval before it was made, by a clock that was a year ahead',
    { kind: 'interval', everyMs: 3_600_000 },
    '2025-01-01T00:00:00Z',
    '2025-01-01T00:00:30.000Z',
  ],
  ['a local time in winter', cron('0 7 * * *'), '2026-01-10T12:00:00Z', '2026-01-11T06:00:00.000Z'],
  ['the same local time in summer', cron('0 7 * * *'), '2026-07-10T12:00:00Z', '2026-07-11T05:00:00.000Z'],
  ['weekdays on a Friday', cron('0 7 * * 1-5'), '2026-11-27T12:00:00Z', '2026-11-30T06:00:00.000Z'],
  [
    'what falls into the gap in spring',
    cron('30 2 * * *'),
    '2026-03-28T12:00:00Z',
    '2026-03-29T01:00:00.000Z',
  ],
  ['the first of two in autumn', cron('30 2 * * *'), '2026-10-24T12:00:00Z', '2026-10-25T00:30:00.000Z'],
  ['not the second of two in autumn', cron('30 2 * * *'), '2026-10-25T00:30:00Z', '2026-10-26T01:30:00.000Z'],
  [
    'both of an hour that is not named',
    cron('0 * * * *'),
    '2026-10-25T00:00:00Z',
    '2026-10-25T01:00:00.000Z',
  ],
  [
    'half an hour of Lord Howe',
    cron('15 2 * * *', 'Australia/Lord_Howe'),
    '2026-10-03T12:00:00Z',
    '2026-10-03T15:30:00.000Z',
  ],
  ['a day that never comes', cron('0 0 30 2 *'), '2026-01-01T00:00:00Z', null],
  ['the end of a session', { kind: 'after_session', sessionId: 's' }, '2026-01-01T00:00:00Z', null],
])('The next planned time is %s', (_what, when, after, expected) => {
  expect(iso(nextRun(when, made, at(after)))).toBe(expected);
});

it('The last planned time up to now is found without walking through all of them', () => {
  const last = (when: JobWhen, after: string, until: string) =>
    iso(lastRun(when, made, at(after), at(until)));
  expect(last(cron('* * * * *'), '2026-01-01T00:00:00Z', '2026-12-31T10:00:00Z')).toBe(
    '2026-12-31T10:00:00.000Z',
  );
  expect(last(cron('0 7 * * *'), '2026-01-01T00:00:00Z', '2026-01-05T05:59:59Z')).toBe(
    '2026-01-04T06:00:00.000Z',
  );
  expect(last(cron('0 7 * * *'), '2026-01-04T06:00:00Z', '2026-01-05T05:59:59Z')).toBeNull();
  expect(last(cron('0 7 * * *'), '2026-01-03T00:00:00Z', '2026-01-05T05:59:59.999Z')).toBe(
    '2026-01-04T06:00:00.000Z',
  );
  const hourly: JobWhen = { kind: 'interval', everyMs: 3_600_000 };
  expect(last(hourly, '2026-01-01T00:00:00Z', '2026-01-01T01:00:29Z')).toBeNull();
  expect(last(hourly, '2026-01-01T00:00:00Z', '2026-01-01T02:00:30Z')).toBe('2026-01-01T02:00:30.000Z');
  const once: JobWhen = { kind: 'once', at: at('2026-05-01T10:00:00Z') };
  expect(last(once, '2026-05-01T09:59:59Z', '2026-05-01T10:00:00Z')).toBe('2026-05-01T10:00:00.000Z');
  expect(last(once, '2026-05-01T10:00:00Z', '2026-05-02T10:00:00Z')).toBeNull();
});

it('What cannot be read says what is wrong with it', () => {
  expect(cronProblem('0 7 * * 1-5', 'Europe/Berlin')).toBeNull();
  expect(cronProblem('@daily', 'UTC')).toBeNull();
  expect(cronProblem('0 0 7 * * 1-5', 'UTC')).toContain('five fields');
  expect(cronProblem('0 25 * * *', 'UTC')).toContain('25');
  expect(cronProblem('0 7 * * *', 'Mars/Base')).toContain('Europe/Berlin');
});
