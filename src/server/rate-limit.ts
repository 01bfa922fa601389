/** At most so many in any minute, whoever asks: guessing stays hopeless, and a program gone wild is slowed down. */
import type { Clock } from '../platform/clock.ts';

const minuteMs = 60_000;

/** Returns whether one more is allowed now, and counts it if so. */
export function createRateLimit(clock: Pick<Clock, 'monotonic'>, maxPerMinute: number): () => boolean {
  /** The oldest first. */
  const taken: number[] = [];
  return () => {
    const now = clock.monotonic();
    while (taken[0] !== undefined && now - taken[0] >= minuteMs) taken.shift();
    if (taken.length >= maxPerMinute) return false;
    taken.push(now);
    return true;
  };
}
