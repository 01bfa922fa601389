import { expect, test } from 'vitest';
import { passingClock } from '../../../test/helpers/passing-clock.ts';
import { callMs, startCallLimit } from './call-limit.ts';

function limited() {
  const { clock, pass, waiting } = passingClock();
  return { limit: startCallLimit(clock), pass, waiting };
}

test('A call ends when its server says nothing for a minute, and each news begins it again', () => {
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
  const { limit, waiting } = limited();
  limit.news();
  limit.cancel();
  expect(waiting()).toBe(0);
});
