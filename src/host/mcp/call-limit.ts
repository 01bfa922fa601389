/** How long a call may take: without news from its server, and at all. The time of the person does not count. */
import type { Clock } from '../../platform/clock.ts';
import { startLimit } from '../tools/time-limit.ts';

/** Without news. */
export const callMs = 60_000;
const maxCallMs = 600_000;

export interface CallLimit {
  /** Fires when the time is up. */
  signal: AbortSignal;
  news(): void;
  whilePaused<T>(work: () => Promise<T>): Promise<T>;
  cancel(): void;
}

export function startCallLimit(clock: Clock): CallLimit {
  const up = new AbortController();
  const total = startLimit(maxCallMs, clock, () => up.abort());
  let quiet = startLimit(callMs, clock, () => up.abort());
  let pauses = 0;
  let resume: (() => void)[] = [];
  return {
    signal: up.signal,
    news() {
      quiet.cancel();
      quiet = startLimit(callMs, clock, () => up.abort());
      if (pauses > 0) resume.push(quiet.pause());
    },
    async whilePaused(work) {
      if (pauses === 0) resume = [total.pause(), quiet.pause()];
      pauses += 1;
      try {
        return await work();
      } finally {
        pauses -= 1;
        if (pauses === 0) for (const each of resume) each();
      }
    },
    cancel() {
      total.cancel();
      quiet.cancel();
    },
  };
}
