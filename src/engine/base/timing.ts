/** Time limits and steady paces on the injected clock. */
import type { Clock, Timer } from '../../platform/clock.ts';

export class DeadlineExceeded extends Error {
  constructor(ms: number) {
    super(`No answer within ${String(ms)} ms.`);
    this.name = 'DeadlineExceeded';
  }
}

/** Runs with a signal that fires after `ms`. Rejects with DeadlineExceeded then, whatever `run` makes of its signal. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = clock.after(ms, () => {
    const error = new DeadlineExceeded(ms);
    controller.abort(error);
    late.reject(error);
  });
  try {
    return await Promise.race([run(controller.signal), late.promise]);
  } finally {
    timer.cancel();
  }
}

/** Its value once it has one; undefined when that takes longer. The work goes on. */
export async function settledWithin<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = clock.after(ms, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    timer.cancel();
  }
}

/** Ends early, without an error, when the signal fires. */
export function pause(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.after(ms, finish);
    if (signal?.aborted) finish();
    else signal?.addEventListener('abort', finish, { once: true });
  });
}

/** Something done again and again, never twice at the same time. */
/** @param run must not reject. @param interval ms from the end of a run to the next, asked after each run. */
export function createTicker(clock: Clock, interval: () => number, run: () => Promise<void>) {
  let timer: Timer | undefined;
  let current: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let stopped = false;

  const begin = async (): Promise<void> => {
    timer?.cancel();
    try {
      await run();
    } finally {
      current = undefined;
      if (!stopped) timer = clock.after(interval(), () => void now());
    }
  };
  const now = (): Promise<void> => {
    if (stopped) return Promise.resolve();
    if (!current) {
      current = begin();
      return current;
    }
    next ??= current.then(() => {
      next = undefined;
      return now();
    });
    return next;
  };
  return {
    /** Does it now; while it is being done, once more afterwards. Resolves when that run has ended. */
    now,
    stop(): void {
      stopped = true;
      timer?.cancel();
    },
  };
}

export type Ticker = ReturnType<typeof createTicker>;

/** When something that fails is worth another try. */
/** One failure may be an accident; from the second on in a row each waits longer. */
const pausesMs = [0, 4_000, 8_000, 16_000, 32_000, 60_000];

export function createBackOff(clock: Clock) {
  let failures = 0;
  let dueAt = 0;
  const rest = (ms: number): void => {
    dueAt = clock.monotonic() + ms;
  };
  return {
    isDue: (): boolean => clock.monotonic() >= dueAt,
    succeeded(): void {
      failures = 0;
      dueAt = 0;
    },
    failed(): void {
      rest(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0);
      failures += 1;
    },
    /** Not before that many ms have passed. */
    rest,
  };
}
