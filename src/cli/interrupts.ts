/** Ctrl-C, and other wishes to end: the first stops what runs, the second does not wait for that. */

export interface Interrupts {
  /** Fires with the first one since `renew`. */
  signal(): AbortSignal;
  /** @param why what the person is told, the first time */
  interrupt(why: string): void;
  /** What was stopped is over: the next Ctrl-C is a first one again. */
  renew(): void;
}

export interface InterruptDeps {
  onFirst: (why: string) => void;
  onSecond: () => void;
}

export function createInterrupts({ onFirst, onSecond }: InterruptDeps): Interrupts {
  let controller = new AbortController();
  return {
    signal: () => controller.signal,
    interrupt(why) {
      if (controller.signal.aborted) onSecond();
      else {
        onFirst(why);
        controller.abort();
      }
    },
    renew() {
      if (controller.signal.aborted) controller = new AbortController();
    },
  };
}
