import { expect, test } from 'vitest';
import { careFor, type Care, type CareFacts } from './keep-warm.ts';

const minute = 60_000;
const usual: CareFacts = {
  policy: 'while_open',
  remainingMs: 8 * minute,
  leased: false,
  idleMs: minute,
  outdated: false,
  open: true,
};
const forever = 290 * 365 * 24 * 60 * minute;

test.each<[string, Partial<CareFacts>, Care]>([
  ['while open: fresh', {}, 'leave'],
  ['while open: half its time is over', { remainingMs: 4 * minute }, 'renew'],
  ['while open: kept for ever before', { remainingMs: forever }, 'renew'],
  ['nobody is connected', { remainingMs: 4 * minute, open: false }, 'leave'],
  ['past its time, so it is busy', { remainingMs: -1 }, 'leave'],
  ['leased, time enough', { leased: true, remainingMs: 4 * minute }, 'leave'],
  ['leased, idle for nine minutes', { leased: true, remainingMs: 0.5 * minute }, 'renew'],
  ['always: not yet', { policy: 'always' }, 'renew'],
  ['always: already', { policy: 'always', remainingMs: forever }, 'leave'],
  ['never: just used', { policy: 'never', idleMs: 5_000 }, 'leave'],
  ['never: done with', { policy: 'never', idleMs: 10_000 }, 'unload'],
  ['never: leased', { policy: 'never', leased: true, idleMs: 10_000 }, 'leave'],
  ['never: preloaded by hand, not used yet', { policy: 'never', idleMs: Infinity }, 'leave'],
  ['another policy was chosen', { policy: 'minutes', outdated: true, remainingMs: forever }, 'renew'],
  ['another policy was chosen, and a turn runs', { outdated: true, leased: true }, 'leave'],
  ['minutes: as told', { policy: 'minutes' }, 'leave'],
])('%s', (_, facts, care) => {
  expect(careFor({ ...usual, ...facts })).toBe(care);
});
