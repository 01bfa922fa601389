/** Room for whatever else waits in this process: other sessions, a Stop, a window that asks. */
import type { Clock } from './clock.ts';

/** Runs once everything is done that this task of the event loop has begun. */
export function afterThisTask(run: () => void): void {
  setImmediate(run);
}

/** Resolves after every other task that is due has had its turn. */
export function yieldToOthers(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Rejects with the signal's reason as soon as it fires; the work goes on by itself. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Long work in slices: ask after each small piece of it, and rest when it is due. */
export type Pace = ReturnType<typeof createPace>;

/** Short enough for a person not to notice, long enough for the pauses to cost nothing. */
const sliceMs = 20;

/** For all the work that shares it: of those that rest, one goes on in each round of the event loop. */
export function createPace(clock: Pick<Clock, 'monotonic'>) {
  let begun = clock.monotonic();
  let last = Promise.resolve();
  return {
    /** True = a slice has lasted long enough. */
    isDue: (): boolean => clock.monotonic() - begun >= sliceMs,
    /** Resolves when the next slice may begin. Rejects where the work is no longer wanted. */
    async rest(): Promise<void> {
      last = last.then(yieldToOthers);
      await last;
      begun = clock.monotonic();
    },
  };
}

/** Runs each at once while this round of the event loop has room for it, and the rest in the next rounds, in order. */
export function createRounds(clock: Pick<Clock, 'monotonic'>): (run: () => void) => void {
  const waiting: (() => void)[] = [];
  /** When the first of this round began; null = there was none yet. */
  let begun: number | null = null;

  const hasRoom = (): boolean => {
    if (begun === null) {
      begun = clock.monotonic();
      setImmediate(nextRound);
    }
    return clock.monotonic() - begun < sliceMs;
  };
  const nextRound = (): void => {
    begun = null;
    while (waiting.length > 0 && hasRoom()) waiting.shift()?.();
  };

  return (run) => {
    if (waiting.length > 0 || !hasRoom()) waiting.push(run);
    else run();
  };
}

/** Everything in a list, as it comes, in slices. */
export async function inSlices<T, R>(entries: Iterable<T>, pace: Pace, read: (entry: T) => R): Promise<R[]> {
  const done: R[] = [];
  for (const entry of entries) {
    done.push(read(entry));
    if (pace.isDue()) await pace.rest();
  }
  return done;
}
