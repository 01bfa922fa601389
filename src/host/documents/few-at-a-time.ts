/** A reader may take half a gigabyte: whoever comes when enough of them run waits until one has ended. */

export type RunInTurn = <T>(run: () => Promise<T>, signal: AbortSignal) => Promise<T>;

/** In the order in which they came; rejects with the signal's reason where that fires before its turn. */
export function fewAtATime(most: number): RunInTurn {
  let running = 0;
  const waiting = new Set<() => void>();

  const turn = (signal: AbortSignal): Promise<void> =>
    new Promise((resolve, reject) => {
      const begin = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.delete(begin);
        reject(signal.reason as Error);
      };
      waiting.add(begin);
      signal.addEventListener('abort', leave, { once: true });
    });

  return async (run, signal) => {
    signal.throwIfAborted();
    if (running < most) running += 1;
    // Whoever ends hands its place on.
    else await turn(signal);
    try {
      return await run();
    } finally {
      const [next] = waiting;
      if (next) {
        waiting.delete(next);
        next();
      } else running -= 1;
    }
  };
}
