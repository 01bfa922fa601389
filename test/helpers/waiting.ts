/** Waiting for events, never for time; what takes too long counts as hanging. */

/** Less than a test may take, so that a failure says what was waited for. */
const patienceMs = 100_000;

/** Rejects with `what` in words when it takes too long. */
export async function within<T>(work: Promise<T>, what: string | (() => string)): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => late.reject(new Error(`Waited too long for ${typeof what === 'string' ? what : what()}.`)),
    patienceMs,
  );
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Rung at every event, for those who wait until something is so. */
export class Bell {
  readonly #watchers = new Set<() => void>();

  ring(): void {
    for (const watcher of this.#watchers) watcher();
  }

  /** Looks now and after every ring. */
  async until(ready: () => boolean, what: string | (() => string)): Promise<void> {
    const done = Promise.withResolvers<void>();
    const look = (): void => {
      if (ready()) done.resolve();
    };
    this.#watchers.add(look);
    look();
    try {
      await within(done.promise, what);
    } finally {
      this.#watchers.delete(look);
    }
  }
}
