import { expect, test } from 'vitest';
import { manualClock, failureOf, settle } from '../testing/fakes.ts';
import { createTicker, DeadlineExceeded, withDeadline } from './timing.ts';

test('what answers in time is returned', async () => {
  await expect(withDeadline(manualClock(), 100, () => Promise.resolve(7))).resolves.toBe(7);
});

test('what does not is aborted and given up, even when it ignores its signal', async () => {
  const clock = manualClock();
  let signal: AbortSignal | undefined;
  const failed = failureOf(
    withDeadline(clock, 100, (given) => {
      signal = given;
      return new Promise(() => undefined);
    }),
  );
  await clock.advance(100);
  expect(await failed).toBeInstanceOf(DeadlineExceeded);
  expect(signal?.aborted).toBe(true);
});

function slowTicker() {
  const clock = manualClock();
  const runs: (() => void)[] = [];
  const ticker = createTicker(
    clock,
    () => 1_000,
    () => new Promise((resolve) => runs.push(resolve)),
  );
  return { clock, runs, ticker };
}

test('a ticker waits from the end of a run to the next', async () => {
  const { clock, runs, ticker } = slowTicker();
  void ticker.now();
  await clock.advance(5_000);
  expect(runs).toHaveLength(1);
  runs[0]?.();
  await clock.advance(999);
  expect(runs).toHaveLength(1);
  await clock.advance(1);
  expect(runs).toHaveLength(2);
});

test('asked while it runs, it runs once more afterwards, however often it was asked', async () => {
  const { runs, ticker } = slowTicker();
  void ticker.now();
  const again = Promise.all([ticker.now(), ticker.now()]);
  expect(runs).toHaveLength(1);
  runs[0]?.();
  await settle();
  expect(runs).toHaveLength(2);
  runs[1]?.();
  await again;
  await settle();
  expect(runs).toHaveLength(2);
});

test('a stopped ticker does nothing more', async () => {
  const { clock, runs, ticker } = slowTicker();
  void ticker.now();
  ticker.stop();
  runs[0]?.();
  await clock.advance(10_000);
  await ticker.now();
  expect(runs).toHaveLength(1);
});
