import { expect, test } from 'vitest';
import { pullLineSchema, type PullLine } from '../../ollama/library.ts';
import { createPullProgress } from './pull-progress.ts';

function open() {
  let now = 0;
  const progress = createPullProgress(() => now);
  const line = (fields: object): void => progress.take(pullLineSchema.parse({ status: 'x', ...fields }));
  return {
    progress,
    line,
    layer: (digest: string, total: number, completed?: number) =>
      line({ status: 'pulling', digest, total, ...(completed !== undefined && { completed }) }),
    pass: (ms: number): void => {
      now += ms;
    },
  };
}

const lineWith = (fields: object): PullLine => pullLineSchema.parse({ status: 'pulling', ...fields });

test('before a layer is known, nothing is known', () => {
  const { progress, line } = open();
  line({ status: 'pulling manifest' });
  expect(progress.totalBytes()).toBeNull();
  expect(progress.completedBytes()).toBe(0);
  expect(progress.bytesPerSecond()).toBeNull();
});

test('layers add up as they become known', () => {
  const { progress, layer } = open();
  layer('a', 1_000, 400);
  layer('a', 1_000, 1_000);
  layer('b', 50, 20);
  expect([progress.completedBytes(), progress.totalBytes()]).toEqual([1_020, 1_050]);
  expect(progress.missingBytes()).toBe(30);
});

test('what Ollama throws away is not taken from the person, and has to be written again', () => {
  const { progress, layer } = open();
  layer('a', 1_000, 800);
  layer('a', 1_000, 300);
  expect(progress.completedBytes()).toBe(800);
  expect(progress.missingBytes()).toBe(700);
});

test('what lay on the disk before counts as there, but not as received', () => {
  const { progress, layer } = open();
  layer('a', 1_000, 600);
  layer('a', 1_000, 700);
  expect(progress.completedBytes()).toBe(700);
  expect(progress.receivedBytes()).toBe(100);
});

test('the speed is that of the last seconds, and falls while nothing comes', () => {
  const { progress, layer, pass } = open();
  layer('a', 100_000, 50_000);
  for (let step = 1; step <= 20; step += 1) {
    pass(500);
    layer('a', 100_000, 50_000 + step * 500);
  }
  expect(progress.bytesPerSecond()).toBe(1_000);
  pass(2_500);
  expect(progress.bytesPerSecond()).toBeLessThan(700);
  pass(10_000);
  expect(progress.bytesPerSecond()).toBe(0);
});

test('checking and writing come behind the last byte', () => {
  const { progress, line, layer } = open();
  layer('a', 10, 10);
  expect(progress.phase()).toBe('pulling');
  for (const status of ['verifying sha256 digest', 'writing manifest', 'success']) {
    line({ status });
    expect(progress.phase()).toBe('verifying');
  }
});

test('a list of layers without end takes no memory without end', () => {
  const { progress, layer } = open();
  for (let index = 0; index < 5_000; index += 1) layer(`layer ${String(index)}`, 1, 1);
  expect(progress.totalBytes()).toBe(1_000);
});

test.each([
  ['more than all of it', { digest: 'a', total: 10, completed: 99 }, 10, 10],
  ['a negative size', { digest: 'a', total: -10, completed: 5 }, 0, null],
  ['an absurd size', { digest: 'a', total: 1e300, completed: 5 }, 0, null],
  ['a size without a layer', { total: 10, completed: 5 }, 0, null],
  ['a text for a size', { digest: 'a', total: '10', completed: 5 }, 0, null],
])('%s hurts nothing', (_, fields, completed, total) => {
  const { progress } = open();
  progress.take(lineWith(fields));
  expect([progress.completedBytes(), progress.totalBytes()]).toEqual([completed, total]);
});

test('a layer that shrinks keeps its size', () => {
  const { progress, layer } = open();
  layer('a', 1_000, 900);
  layer('a', 10, 10);
  expect([progress.completedBytes(), progress.totalBytes()]).toEqual([900, 1_000]);
});

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

test.each([1, 2, 3])('whatever is said, the figures make sense (seed %d)', (seed) => {
  const random = seeded(seed);
  const pick = <T>(values: readonly T[]): T | undefined => values[Math.floor(random() * values.length)];
  const { progress, pass } = open();
  let completed = 0;
  for (let step = 0; step < 2_000; step += 1) {
    const sizes = [0, -1, 1.5, Infinity, 2 ** 60, null, '7', {}, Math.floor(random() * 1e9)];
    const fields = {
      status: pick(['pulling', 'verifying', 'success', '']),
      digest: pick(['a', 'b', 'c', 7, null, undefined]),
      total: pick(sizes),
      completed: pick(sizes),
    };
    const read = pullLineSchema.safeParse(fields);
    if (read.success) progress.take(read.data);
    pass(random() * 300);
    expect(progress.completedBytes()).toBeGreaterThanOrEqual(completed);
    completed = progress.completedBytes();
    expect(completed).toBeLessThanOrEqual(progress.totalBytes() ?? 0);
    expect(progress.bytesPerSecond() ?? 0).toBeGreaterThanOrEqual(0);
    expect(progress.missingBytes()).toBeGreaterThanOrEqual(0);
  }
  expect(completed).toBeGreaterThan(0);
});
