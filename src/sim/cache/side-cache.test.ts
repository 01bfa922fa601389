import { describe, expect, test } from 'vitest';
import { SideCache } from './side-cache.ts';
import type { SlotState } from './slot.ts';

/** `length` tokens that differ from every other start. */
const run = (start: number, length: number) => Array.from({ length }, (_, index) => start + index);
const state = (tokens: number[]): SlotState => ({ tokens, checkpoints: [] });
const cache = (limitBytes: number) => new SideCache({ limitBytes, bytesPerToken: 10, checkpointBytes: 500 });
const lengths = (side: SideCache) => side.entries.map(({ tokens }) => tokens);

describe('SideCache', () => {
  test('gives up the oldest conversations when its bytes run out', () => {
    const side = cache(3000);
    side.store(state(run(1000, 100)));
    side.store(state(run(2000, 120)));
    side.store(state(run(3000, 130)));
    expect(lengths(side)).toEqual([120, 130]);
    expect(side.bytes).toBe(2500);
  });

  test('counts checkpoints, and keeps what it has rather than store what never fits', () => {
    const side = cache(3000);
    side.store(state(run(1000, 100)));
    side.store({ tokens: run(2000, 290), checkpoints: [{ tokens: 280, lowest: 279, request: 1 }] });
    expect(lengths(side)).toEqual([100]);
  });

  test('a longer state replaces the one it contains, a shorter one is not stored again', () => {
    const side = cache(100_000);
    side.store(state(run(1000, 100)));
    side.store(state(run(1000, 150)));
    side.store(state(run(1000, 120)));
    expect(lengths(side)).toEqual([150]);
  });

  test('gives a state that shares more with the prompt and keeps more of itself, once', () => {
    const side = cache(100_000);
    side.store(state(run(1000, 100)));
    const prompt = [...run(1000, 90), ...run(5000, 50)];
    expect(side.take(prompt, run(1000, 95))).toBeUndefined();
    expect(side.take(prompt, run(7000, 10))?.tokens).toHaveLength(100);
    expect(side.take(prompt, run(7000, 10))).toBeUndefined();
  });

  test('does not give a state of which less than a quarter would be kept', () => {
    const side = cache(100_000);
    side.store(state(run(1000, 100)));
    expect(side.take([...run(1000, 24), 1], [])).toBeUndefined();
    expect(side.take([...run(1000, 25), 1], [])?.tokens).toHaveLength(100);
  });
});
