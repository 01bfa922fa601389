/** Tells others of progress, not more often than is of use to them. */
import type { Clock } from './clock.ts';

/** @returns a way to report; the last report of a piece of work is never left out */
export function throttled(
  clock: Pick<Clock, 'monotonic'>,
  ms: number,
  report: () => void,
): (isLast: boolean) => void {
  let reportedAt = -Infinity;
  return (isLast) => {
    if (!isLast && clock.monotonic() - reportedAt < ms) return;
    reportedAt = clock.monotonic();
    report();
  };
}
