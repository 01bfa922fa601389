/** When a run was stopped, and what the stop found open: for its card, and for the proof behind it. */
import type { Clock } from '../../platform/clock.ts';
import type { ClosedStream, Found } from './deps.ts';

export interface StopWatch {
  /** On the monotonic clock; 0 = not yet. */
  stoppedAt: number;
  /** The reply that the stop closed; undefined = none was open. */
  closed?: ClosedStream | undefined;
  /** Of a slot whose reply was cut, as long as it is being proved. */
  proof?: Promise<Found> | undefined;
}

export function watchForStop(signal: AbortSignal, clock: Clock): StopWatch {
  const watch: StopWatch = { stoppedAt: 0 };
  signal.addEventListener('abort', () => (watch.stoppedAt = clock.monotonic()), { once: true });
  return watch;
}
