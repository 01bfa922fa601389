import { expect, it } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import { isWriting, watchSilence } from './silence.ts';

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
    workMs: 900,
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

it('where the runner cannot be asked, the time of the work itself is given, too', async () => {
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

const slot = { id: 0, taskId: 7, promptTokens: 9, processedTokens: 9, cachedTokens: 0 };

it.each([
  ['writes while its tokens grow', [120, 121], true],
  ['hangs where they do not, however busy it looks', [120, 120], false],
  ['cannot be asked where it says nothing', [null], null],
  ['cannot be asked where it says nothing the second time', [120, null], null],
] as const)('a runner %s', async (_, counts, expected) => {
  const answers = [...counts];
  const slots = () => {
    const decodedTokens = answers.shift() ?? null;
    return Promise.resolve(decodedTokens === null ? null : [{ ...slot, isProcessing: true, decodedTokens }]);
  };
  const clock = {
    now: () => 0,
    monotonic: () => 0,
    after: (_ms: number, run: () => void) => (run(), { cancel: () => undefined }),
  };
  expect(await isWriting('m', slots, clock)).toBe(expected);
});
