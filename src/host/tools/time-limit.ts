/** The time that a tool may take, in which the time of the person does not count. */
import type { Clock } from '../../platform/clock.ts';
import type { Reach } from './tool.ts';

interface TimeLimit {
  cancel(): void;
  /** Time does not count until what is returned is called. */
  pause(): () => void;
}

/** @param ms of time that counts */
export function startLimit(ms: number, clock: Clock, onUp: () => void): TimeLimit {
  let [left, since, pauses, isOver] = [ms, clock.monotonic(), 0, false];
  let timer = clock.after(left, onUp);
  return {
    cancel() {
      isOver = true;
      timer.cancel();
    },
    pause() {
      if (pauses === 0) {
        timer.cancel();
        left = Math.max(0, left - (clock.monotonic() - since));
      }
      pauses += 1;
      return () => {
        pauses -= 1;
        if (pauses > 0 || isOver) return;
        since = clock.monotonic();
        timer = clock.after(left, onUp);
      };
    },
  };
}

/** A person who thinks takes no time from the tool. */
export const pausing =
  (limit: TimeLimit, reach: Reach): Reach =>
  async (wanted) => {
    const resume = limit.pause();
    try {
      return await reach(wanted);
    } finally {
      resume();
    }
  };
