import { expect, test } from 'vitest';
import { maxThatFits, windowsUpTo } from './context-sizes.ts';

test('the windows double up to what the model was trained for', () => {
  expect(windowsUpTo(40_960)).toEqual([4_096, 8_192, 16_384, 32_768, 40_960]);
  expect(windowsUpTo(16_384)).toEqual([4_096, 8_192, 16_384]);
  expect(windowsUpTo(2_048)).toEqual([2_048]);
});

test('the largest is one that fits, not one that may', () => {
  const fits = [
    { contextTokens: 4_096, verdict: 'fits' },
    { contextTokens: 8_192, verdict: 'fits' },
    { contextTokens: 16_384, verdict: 'tight' },
    { contextTokens: 32_768, verdict: 'spills' },
  ] as const;
  expect(maxThatFits(fits)).toBe(8_192);
});

test('where nobody knows, it is unknown', () => {
  expect(maxThatFits([{ contextTokens: 4_096, verdict: 'unknown' }])).toBeNull();
  expect(maxThatFits([])).toBeNull();
});
