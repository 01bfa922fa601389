import { describe, expect, it } from 'vitest';
import type { RunnerSlot } from '../../../protocol/model.ts';
import { measuredProgress, predictedProgress, type Expectation } from './progress.ts';

/** A token a millisecond, wherever it stands. */
const speed = { predictMs: ({ tokens }: { tokens: number }) => tokens };
const expected: Expectation = { since: 1_000, promptTokens: 5_000, cachedTokens: 1_000, speed };
const slot = (processedTokens: number, cachedTokens = 1_000): RunnerSlot => ({
  id: 0,
  taskId: 7,
  isProcessing: true,
  promptTokens: cachedTokens + processedTokens,
  processedTokens,
  cachedTokens,
  decodedTokens: 0,
});

describe('by the clock', () => {
  it('what is cached is not waited for', () => {
    expect(predictedProgress(expected, 2_000)).toEqual({
      since: 1_000,
      promptTokens: 5_000,
      cachedTokens: 1_000,
      readTokens: 1_000,
      secondsLeft: 3,
      overrun: false,
      source: 'predicted',
    });
  });

  it('late is late: no seconds are made up', () => {
    expect(predictedProgress(expected, 5_500)).toMatchObject({
      readTokens: 4_000,
      secondsLeft: null,
      overrun: true,
    });
  });

  it('nothing is said of seconds before the speed is known', () => {
    const unknown = { ...expected, speed: { predictMs: () => null } };
    expect(predictedProgress(unknown, 9_000)).toMatchObject({ secondsLeft: null, overrun: false });
  });
});

describe('by the runner', () => {
  const first = { at: 1_500, processedTokens: 0 };
  /** Seen first there, and to have gone on last at that time. */
  const since = (at: number, processedTokens: number) => ({ first, last: { at, processedTokens } });

  const readUntil = (now: number) => measuredProgress(expected, slot(1_000), since(2_500, 1_000), now);

  it('its counts replace the expected ones', () => {
    const told = measuredProgress(expected, slot(1_000, 2_000), since(2_500, 1_000), 2_500);
    expect(told).toMatchObject({
      cachedTokens: 2_000,
      readTokens: 1_000,
      secondsLeft: 2,
      source: 'measured',
    });
  });

  it('a prompt that goes at half the pace will go on so', () => {
    expect(measuredProgress(expected, slot(1_000), since(3_500, 1_000), 3_500).secondsLeft).toBe(6);
  });

  it('its own pace is enough where no other is known', () => {
    const unknown = { ...expected, speed: { predictMs: () => null } };
    expect(measuredProgress(unknown, slot(1_000), since(3_500, 1_000), 3_500).secondsLeft).toBe(6);
    expect(measuredProgress(unknown, slot(10), since(1_600, 10), 1_600).secondsLeft).toBeNull();
  });

  it('a prompt longer than expected is late, and never shown as more than whole', () => {
    expect(measuredProgress(expected, slot(4_200), since(9_000, 4_200), 9_000)).toMatchObject({
      promptTokens: 5_200,
      readTokens: 4_200,
      secondsLeft: null,
      overrun: true,
    });
  });

  it('the seconds run down while no more is read, and end as overrun, not as one second for ever (audit-U4)', () => {
    expect([2_500, 3_500, 5_400].map((now) => readUntil(now).secondsLeft)).toEqual([3, 2, 0.1]);
    expect(readUntil(6_400)).toMatchObject({ secondsLeft: 0, overrun: false });
    expect(readUntil(6_600)).toMatchObject({ secondsLeft: null, overrun: true, readTokens: 1_000 });
  });
});
