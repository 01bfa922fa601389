import { describe, expect, test } from 'vitest';
import { createTimeModel, loadSeconds, seededRandom, type TimeProfile } from './index.ts';

const EVEN: TimeProfile = {
  loadSeconds: 4,
  prefillTokensPerSecond: 500,
  depthFactor: 0.0005,
  decodeTokensPerSecond: 40,
  noise: 0,
};

function noisyDecodes(seed: number): number[] {
  const time = createTimeModel({ ...EVEN, noise: 0.1 }, seededRandom(seed));
  return Array.from({ length: 200 }, () => time.decode());
}

describe('time model', () => {
  test('a batch costs more the deeper it lies', () => {
    const time = createTimeModel(EVEN, seededRandom(1));
    expect(time.batch(1000, 0)).toBeCloseTo(2000 * 1.25);
    expect(time.batch(1000, 2000)).toBeCloseTo(2000 * 2.25);
  });

  test('a prompt takes the same time however it is cut into batches', () => {
    const time = createTimeModel(EVEN, seededRandom(1));
    let cut = 0;
    for (let depth = 0; depth < 4096; depth += 256) cut += time.batch(256, depth);
    expect(cut).toBeCloseTo(time.batch(4096, 0));
  });

  test('what slows the machine down at the moment slows everything', () => {
    let slowdown = 1;
    const time = createTimeModel({ ...EVEN, slowdown: () => slowdown }, seededRandom(1));
    slowdown = 3;
    expect(time.decode()).toBeCloseTo(75);
    expect(time.batch(500, 0)).toBeCloseTo(3375);
  });

  test('load and decode follow the profile, and speed divides every duration', () => {
    const normal = createTimeModel(EVEN, seededRandom(1));
    const fast = createTimeModel({ ...EVEN, speed: 1000 }, seededRandom(1));
    expect(normal.load()).toBe(4000);
    expect(normal.decode()).toBe(25);
    expect(fast.load()).toBeCloseTo(4);
    expect(fast.batch(512, 100)).toBeCloseTo(normal.batch(512, 100) / 1000);
    expect(fast.noticesClose(0, 0.3)).toBeCloseTo(1);
  });

  test('noise stays within its share and repeats with the seed', () => {
    const first = noisyDecodes(7);
    expect(Math.min(...first)).toBeGreaterThanOrEqual(25 * 0.9);
    expect(Math.max(...first)).toBeLessThanOrEqual(25 * 1.1);
    expect(new Set(first).size).toBeGreaterThan(150);
    expect(noisyDecodes(7)).toEqual(first);
    expect(noisyDecodes(8)).not.toEqual(first);
  });

  test('a closed connection is noticed at the next look, at most one second later', () => {
    const time = createTimeModel(EVEN, seededRandom(1));
    expect(time.noticesClose(500, 500)).toBe(1500);
    expect(time.noticesClose(500, 1499)).toBe(1500);
    expect(time.noticesClose(500, 1501)).toBe(2500);
  });

  test('a larger file takes longer to load', () => {
    expect(loadSeconds(8e9, 2e9)).toBe(4.5);
  });
});

describe('seededRandom', () => {
  test('gives numbers in [0, 1) without a lean to either half', () => {
    const random = seededRandom(0);
    const numbers = Array.from({ length: 10_000 }, random);
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true);
    expect(numbers.filter((number) => number < 0.5).length).toBeGreaterThan(4800);
    expect(numbers.filter((number) => number < 0.5).length).toBeLessThan(5200);
  });
});
