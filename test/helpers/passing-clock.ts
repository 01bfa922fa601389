/** A clock whose time passes when a test says so. */
import type { Clock } from '../../src/platform/clock.ts';

export interface PassingClock {
  clock: Clock;
  /** What falls due on the way runs now. */
  pass: (ms: number) => void;
  /** Timers that wait. */
  waiting: () => number;
}

export function passingClock(): PassingClock {
  let now = 0;
  const timers = new Set<{ at: number; run: () => void }>();
  return {
    clock: {
      now: () => now,
      monotonic: () => now,
      after(ms, run) {
        const timer = { at: now + ms, run };
        timers.add(timer);
        return { cancel: () => void timers.delete(timer) };
      },
    },
    pass(ms) {
      now += ms;
      for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.run();
    },
    waiting: () => timers.size,
  };
}
