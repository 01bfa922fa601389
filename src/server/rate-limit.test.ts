import { expect, test } from 'vitest';
import { createRateLimit } from './rate-limit.ts';

test('as many as the limit are allowed within a minute, and one more is not (audit-S28)', () => {
  let now = 0;
  const isAllowed = createRateLimit({ monotonic: () => now }, 3);
  const ask = (at: number): boolean => {
    now = at;
    return isAllowed();
  };
  expect([0, 10_000, 20_000, 59_999].map(ask)).toEqual([true, true, true, false]);
  // What was refused does not count: the first one makes room after a minute, and then the second.
  expect([60_000, 60_001, 70_000, 70_000].map(ask)).toEqual([true, false, true, false]);
});
