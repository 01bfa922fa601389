/** Copies of sessions take long: they are made in slices, and given up when nobody wants them any more. */
import type { Clock } from '../../platform/clock.ts';
import { createPace, type Pace } from '../../platform/event-loop.ts';
import { AndironError } from '../../protocol/errors.ts';

export type LongWork = ReturnType<typeof createLongWork>;

export function createLongWork(clock: Pick<Clock, 'monotonic'>) {
  const pace = createPace(clock);
  const running = new Set<Promise<unknown>>();
  let isClosed = false;
  const refuseUnwanted = (signal: AbortSignal | undefined): void => {
    if (isClosed) throw new AndironError('cancelled', 'Andiron is closing.');
    if (signal?.aborted) throw cancelled();
  };
  return {
    /** Where the signal fires, or the work closes, the pace rejects. */
    async run<T>(work: (pace: Pace) => Promise<T>, signal?: AbortSignal): Promise<T> {
      refuseUnwanted(signal);
      const done = work({
        isDue: () => pace.isDue(),
        async rest() {
          await pace.rest();
          refuseUnwanted(signal);
        },
      });
      running.add(done);
      try {
        return await done;
      } finally {
        running.delete(done);
      }
    },
    /** Gives up what runs, and resolves when all of it has ended. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.allSettled(running);
    },
  };
}

export const cancelled = (): AndironError => new AndironError('cancelled', 'The import was cancelled.');
