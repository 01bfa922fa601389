import { expect, test } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import { callMs, startCallLimit } from './call-limit.ts';

/** Time that passes when it is told to. */
function limited() {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  const clock: Clock = {
    now: () => now,
    monotonic: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return { cancel: () => void timers.delete(timer) };
    },
  };
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.run();
  };
  return { limit: startCallLimit(clock), pass, timers };
}

test('A call ends when its server says nothing for a minute, and each news begins it anew', () => {
  const { limit, pass } = limited();
  pass(callMs - 1);
  limit.news();
  pass(callMs - 1);
  expect(limit.signal.aborted).toBe(false);
  pass(1);
  expect(limit.signal.aborted).toBe(true);
});

test('A call ends after ten minutes, whatever its server says meanwhile', () => {
  const { limit, pass } = limited();
  for (let second = 0; second < 600; second += 30) {
    expect(limit.signal.aborted).toBe(false);
    limit.news();
    pass(30_000);
  }
  expect(limit.signal.aborted).toBe(true);
});

test('The time in which the person fills in a form does not count, also where news came meanwhile', async () => {
  const { limit, pass } = limited();
  const answered = Promise.withResolvers<void>();
  const paused = limit.whilePaused(() => answered.promise);
  pass(callMs * 5);
  limit.news();
  pass(callMs * 5);
  answered.resolve();
  await paused;
  expect(limit.signal.aborted).toBe(false);
  pass(callMs);
  expect(limit.signal.aborted).toBe(true);
});

test('A call that is over leaves no timer behind', () => {
  const { limit, timers } = limited();
  limit.news();
  limit.cancel();
  expect(timers.size).toBe(0);
});
