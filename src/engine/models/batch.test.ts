import { expect, test } from 'vitest';
import { learnRate, learntBatch, type PrefillRate } from './batch.ts';

/** After so many prefills of 1,000 tokens at this speed. */
function after(samples: number, tokensPerSecond: number, before?: PrefillRate): PrefillRate | undefined {
  let rate = before;
  for (let index = 0; index < samples; index += 1)
    rate = learnRate(rate, { evaluatedTokens: 1_000, ms: 1_000_000 / tokensPerSecond });
  return rate;
}

test.each([
  // Fast enough for Ollama's own 1,024, so nothing is named.
  [2_000, 16_384, undefined],
  [900, 16_384, undefined],
  [600, 16_384, 512],
  [600, 4_096, undefined],
  [300, 16_384, 256],
  [100, 4_096, 128],
  [20, 4_096, 128],
  [1_200, 65_536, 1_024],
])('at %d tokens a second and a window of %d the batch is %s', (speed, window, batch) => {
  expect(learntBatch(after(5, speed), window)).toBe(batch);
});

test('two prefills are no measurement yet', () => {
  expect(learntBatch(after(2, 300), 16_384)).toBeUndefined();
  expect(learntBatch(undefined, 16_384)).toBeUndefined();
});

test('a few tokens, or no time at all, say nothing about the speed', () => {
  const rate = after(3, 300);
  expect(learnRate(rate, { evaluatedTokens: 40, ms: 2_000 })).toBe(rate);
  expect(learnRate(rate, { evaluatedTokens: 4_000, ms: 0 })).toBe(rate);
});

test('a change of speed is learnt within ten prefills', () => {
  const rate = after(10, 300, after(100, 3_000));
  expect(rate?.tokensPerSecond).toBeGreaterThan(300);
  expect(rate?.tokensPerSecond).toBeLessThan(500);
});
