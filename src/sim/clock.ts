/** Time as the simulator sees it. Every wait goes through here, so tests can hold or hurry it. */
export type Clock = ReturnType<typeof systemClock>;

/** Longer waits overflow setTimeout, which then fires at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The real clock; `scale` 4 makes everything, timers included, run four times as fast. */
export function systemClock(scale = 1) {
  const startedAt = performance.timeOrigin + performance.now();
  const real = (ms: number) => Math.min(LONGEST_TIMEOUT_MS, ms / scale);
  return {
    /** Milliseconds since 1970, with fractions. */
    now: (): number => startedAt + (performance.timeOrigin + performance.now() - startedAt) * scale,
    /** Resolves after `ms`, or as soon as the signal fires; never rejects. */
    sleep: (ms: number, signal?: AbortSignal): Promise<void> =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const finish = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', finish);
          resolve();
        };
        const timer = setTimeout(finish, real(ms));
        signal?.addEventListener('abort', finish, { once: true });
      }),
    /** Calls back once after `ms`; the returned function cancels. Never keeps the process alive. */
    after: (ms: number, callback: () => void): (() => void) => {
      const timer = setTimeout(callback, real(ms));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}

export interface ManualClock extends Clock {
  /** Moves time on, firing what falls due in order and letting promises settle in between. */
  advance(ms: number): Promise<void>;
}

/** Lets everything run that waits for nothing but other promises. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}

/** A clock that stands still until it is told to move; for unit tests. */
export function manualClock(startAt = Date.UTC(2026, 0, 1)): ManualClock {
  let now = startAt;
  let waiting: { due: number; callback: () => void }[] = [];
  const after = (ms: number, callback: () => void) => {
    const entry = { due: now + ms, callback };
    waiting.push(entry);
    return () => {
      waiting = waiting.filter((other) => other !== entry);
    };
  };
  return {
    now: () => now,
    after,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const cancel = after(ms, resolve);
        signal?.addEventListener(
          'abort',
          () => {
            cancel();
            resolve();
          },
          { once: true },
        );
      }),
    advance: async (ms) => {
      const target = now + ms;
      await settle();
      for (;;) {
        const next = waiting.filter((entry) => entry.due <= target).toSorted((a, b) => a.due - b.due)[0];
        if (next === undefined) break;
        waiting = waiting.filter((entry) => entry !== next);
        now = Math.max(now, next.due);
        next.callback();
        await settle();
      }
      now = target;
    },
  };
}
