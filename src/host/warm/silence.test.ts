import { expect, it } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import { watchSilence } from './silence.ts';

/** Timers that run when the test says so. */
function stage(answers: (boolean | null)[]) {
  const due: { ms: number; run: () => void }[] = [];
  let silent = 0;
  const clock: Clock = {
    now: () => 0,
    monotonic: () => 0,
    after(ms, run) {
      const timer = { ms, run };
      due.push(timer);
      return { cancel: () => void due.splice(due.indexOf(timer), 1) };
    },
  };
  const watch = watchSilence({
    clock,
    deadlineMs: 100,
    readingMs: 900,
    isProcessing: () => Promise.resolve(answers.shift() as boolean | null),
    onSilent: () => (silent += 1),
  });
  const next = async (): Promise<number | undefined> => {
    const timer = due.shift();
    timer?.run();
    await Promise.resolve();
    await Promise.resolve();
    return timer?.ms;
  };
  return { watch, next, silent: () => silent };
}

it('a runner that does nothing at the deadline has lost the request', async () => {
  const { next, silent } = stage([false]);
  expect(await next()).toBe(100);
  expect(silent()).toBe(1);
});

it('a runner that works gets the same time again, as often as it works', async () => {
  const { next, silent } = stage([true, true, false]);
  expect([await next(), await next(), silent()]).toEqual([100, 100, 0]);
  await next();
  expect(silent()).toBe(1);
});

it('where the runner cannot be asked, the time of the reading itself is given, too', async () => {
  const { next, silent } = stage([null]);
  expect([await next(), silent()]).toEqual([100, 0]);
  expect([await next(), silent()]).toEqual([900, 1]);
});

it('an answer ends the watch, also while the runner is being asked', async () => {
  const { watch, next, silent } = stage([false]);
  const asked = next();
  watch.cancel();
  await asked;
  expect([silent(), await next()]).toEqual([0, undefined]);
});
