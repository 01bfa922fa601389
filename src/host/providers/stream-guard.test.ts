import { describe, expect, it } from 'vitest';
import type { Clock } from '../../platform/clock.ts';
import { guardStream } from './stream-guard.ts';

/** Fires what is due when told that time has passed. */
function manualClock(): Clock & { pass(ms: number): void } {
  let now = 0;
  let timers: { at: number; run: () => void }[] = [];
  return {
    now: () => now,
    monotonic: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return { cancel: () => void (timers = timers.filter((each) => each !== timer)) };
    },
    pass(ms) {
      now += ms;
      const due = timers.filter((timer) => timer.at <= now);
      timers = timers.filter((timer) => timer.at > now);
      for (const timer of due) timer.run();
    },
  };
}

const limits = { firstTokenMs: 120_000, idleMs: 60_000 };

describe('the stream guard (H3, X12 d)', () => {
  it('ends a stream without a first token after 120 s and names the limit', () => {
    const clock = manualClock();
    const guard = guardStream(limits, clock, new AbortController().signal);
    clock.pass(119_999);
    expect(guard.signal.aborted).toBe(false);
    clock.pass(1);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_first_token_timeout' });
  });

  it('ends a stream that is silent for 60 s between tokens', () => {
    const clock = manualClock();
    const guard = guardStream(limits, clock, new AbortController().signal);
    clock.pass(100_000);
    guard.alive();
    clock.pass(59_999);
    guard.alive();
    clock.pass(59_999);
    expect(guard.signal.aborted).toBe(false);
    clock.pass(1);
    expect(guard.signal.reason).toMatchObject({ code: 'stream_idle_timeout' });
  });

  it('passes the person’s stop on with its own reason', () => {
    const outer = new AbortController();
    const guard = guardStream(limits, manualClock(), outer.signal);
    outer.abort('stopped');
    expect(guard.signal.reason).toBe('stopped');
  });

  it('never fires after it was released', () => {
    const clock = manualClock();
    const guard = guardStream(limits, clock, new AbortController().signal);
    guard.release();
    clock.pass(1_000_000);
    expect(guard.signal.aborted).toBe(false);
  });
});
