import type { ClientRequest } from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { QuietClose } from './answer-body.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A close that has begun, with the number of times that it destroyed the connection. */
function begun({ isEndExpected = false } = {}) {
  const destroy = vi.fn<ClientRequest['destroy']>();
  const quietClose = new QuietClose({ destroy }, systemClock, () => isEndExpected);
  quietClose.begin();
  return { quietClose, closed: () => destroy.mock.calls.length };
}

test('an aborted connection is closed once nothing came for four milliseconds', () => {
  const { closed } = begun();
  vi.advanceTimersByTime(3);
  expect(closed()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(closed()).toBe(1);
});

test('an aborted connection stays open while lines come, but not beyond 40 ms', () => {
  const { quietClose, closed } = begun();
  for (let ms = 0; ms < 39; ms += 3) {
    vi.advanceTimersByTime(3);
    quietClose.heard();
  }
  expect(closed()).toBe(0);
  vi.advanceTimersByTime(3);
  expect(closed()).toBe(1);
});

test('an aborted connection whose end is expected waits for it through silence, for 40 ms', () => {
  const { closed } = begun({ isEndExpected: true });
  vi.advanceTimersByTime(39);
  expect(closed()).toBe(0);
  vi.advanceTimersByTime(1);
  expect(closed()).toBe(1);
});

test('a connection that is closed by then is not closed again', () => {
  const { quietClose, closed } = begun();
  quietClose.cancel();
  vi.advanceTimersByTime(100);
  expect(closed()).toBe(0);
});
