import { expect, test } from 'vitest';
import { isSettled } from './manifest.ts';

test('What changed just before it was looked at is read again: a disk tells times in steps', () => {
  const entry = { state: 'hash', mode: 0o644, stamp: 'same', changedMs: 1_000, isKept: true };
  expect(isSettled(entry, 'same', 1_020)).toBe(false);
  expect(isSettled(entry, 'same', 2_000)).toBe(true);
  expect(isSettled(entry, 'other', 2_000)).toBe(false);
});
