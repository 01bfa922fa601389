import { describe, expect, it } from 'vitest';
import { createReadingSpeed, type ReadingSpeed, type Stretch } from './reading-speed.ts';

/** A machine that reads `rate` tokens per second, `shape` dearer for each token before, give or take `noise`. */
function machine(rate: number, shape: number, noise = 0, seed = 1) {
  let state = seed;
  const random = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const ms = ({ tokens, depth }: Stretch): number =>
    ((tokens * (1 + shape * (depth + tokens / 2))) / rate) * 1000 * (1 + noise * (2 * random() - 1));
  const stretch = (): Stretch => ({
    tokens: Math.round(100 + 4_000 * random() ** 2),
    depth: Math.round(30_000 * random()),
  });
  return { ms, stretch };
}

function teach(speed: ReadingSpeed, { ms, stretch }: ReturnType<typeof machine>, times: number): void {
  for (let time = 0; time < times; time += 1) {
    const each = stretch();
    speed.learn(each, ms(each));
  }
}

function within(speed: ReadingSpeed, { ms, stretch }: ReturnType<typeof machine>, times: number): number {
  let good = 0;
  for (let time = 0; time < times; time += 1) {
    const each = stretch();
    const took = ms(each);
    const predicted = speed.predictMs(each) ?? 0;
    if (Math.abs(predicted / took - 1) <= 0.15) good += 1;
    speed.learn(each, took);
  }
  return good / times;
}

describe('how fast a model reads', () => {
  it('is unknown before the first reply', () => {
    const speed = createReadingSpeed();
    expect(speed.predictMs({ tokens: 100, depth: 0 })).toBeNull();
    expect(speed.rate()).toBeNull();
  });

  it('is known after one reply, and a short one teaches nothing', () => {
    const speed = createReadingSpeed();
    speed.learn({ tokens: 20, depth: 0 }, 5_000);
    expect(speed.rate()).toBeNull();
    speed.learn({ tokens: 1_000, depth: 0 }, 1_000);
    expect(speed.rate()).toBeGreaterThan(900);
    expect(speed.rate()).toBeLessThan(1_100);
  });

  it.each([
    [4_000, 2e-5],
    [800, 2e-5],
    [180, 2e-4],
    [2_500, 0],
  ])(
    'is within 15 % nine times of ten after five replies, at %i tokens/s and a shape of %f',
    (rate, shape) => {
      const speed = createReadingSpeed();
      const world = machine(rate, shape, 0.05);
      teach(speed, world, 5);
      expect(within(speed, world, 200)).toBeGreaterThanOrEqual(0.9);
    },
  );

  it.each([0.4, 3])('is learnt anew within five replies after it changed to %f of what it was', (factor) => {
    const speed = createReadingSpeed();
    teach(speed, machine(800, 1e-4, 0.05), 20);
    const after = machine(800 * factor, 1e-4, 0.05, 7);
    teach(speed, after, 5);
    expect(within(speed, after, 200)).toBeGreaterThanOrEqual(0.9);
  });

  it('one odd reply does not turn it over', () => {
    const speed = createReadingSpeed();
    const world = machine(800, 2e-5);
    teach(speed, world, 20);
    speed.learn({ tokens: 1_000, depth: 0 }, 10_000);
    teach(speed, world, 1);
    const took = world.ms({ tokens: 2_000, depth: 5_000 });
    expect((speed.predictMs({ tokens: 2_000, depth: 5_000 }) ?? 0) / took).toBeLessThan(1.5);
  });

  it('nonsense teaches nothing', () => {
    const speed = createReadingSpeed();
    for (const ms of [0, -5, Number.NaN, Infinity]) speed.learn({ tokens: 500, depth: 0 }, ms);
    expect(speed.rate()).toBeNull();
  });
});
