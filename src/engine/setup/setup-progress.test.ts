import { expect, test } from 'vitest';
import { manualClock } from '../testing/fakes.ts';
import { createProgress, type Progress } from './setup-progress.ts';

function watch() {
  const clock = manualClock();
  const told: Progress[] = [];
  return { clock, told, ...createProgress(clock, (progress) => told.push(progress)) };
}

test('the speed is that of the last seconds, and unknown at the start', async () => {
  const { clock, told, step } = watch();
  step(0, 1_000);
  expect(told).toEqual([{ receivedBytes: 0, totalBytes: 1_000, bytesPerSecond: null }]);
  for (let second = 1; second <= 5; second += 1) {
    step(second * 10, 1_000);
    await clock.advance(1_000);
  }
  expect(told.at(-1)?.bytesPerSecond).toBeCloseTo(10, 0);
});

test('a window is not told of every piece, but of the last one soon', async () => {
  const { clock, told, step } = watch();
  for (let bytes = 1; bytes <= 100; bytes += 1) {
    step(bytes, 100);
    await clock.advance(10);
  }
  expect(told.length).toBeLessThan(8);
  await clock.advance(250);
  expect(told.at(-1)).toMatchObject({ receivedBytes: 100 });
});

test('one that stalls is told until its speed is nothing, and then no more', async () => {
  const { clock, told, step } = watch();
  step(0, 1_000);
  await clock.advance(100);
  step(500, 1_000);
  await clock.advance(20_000);
  expect(told.at(-1)).toEqual({ receivedBytes: 500, totalBytes: 1_000, bytesPerSecond: 0 });
  const before = told.length;
  await clock.advance(60_000);
  expect(told).toHaveLength(before);
});

test('a download that begins again has no speed yet', async () => {
  const { clock, told, step } = watch();
  step(500, 1_000);
  await clock.advance(100);
  step(10, 1_000);
  await clock.advance(150);
  expect(told.at(-1)).toEqual({ receivedBytes: 10, totalBytes: 1_000, bytesPerSecond: null });
});

test('stopped, it says nothing more', async () => {
  const { clock, told, step, stop } = watch();
  step(1, 10);
  step(2, 10);
  stop();
  await clock.advance(1_000);
  expect(told).toHaveLength(1);
});
