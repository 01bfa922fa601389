/** Collects events and hands them on at most once per frame, so a fast stream costs one render per frame. */

export interface FrameClock {
  /** Calls back before the next paint; in a hidden page within a second. */
  nextFrame(callback: () => void): void;
}

export interface FrameBatch<T> {
  push(value: T): void;
  /** Hands on what is waiting, now. */
  flush(): void;
  /** Forgets what is waiting: a newer snapshot contains it. */
  clear(): void;
}

export function createFrameBatch<T>(clock: FrameClock, apply: (values: T[]) => void): FrameBatch<T> {
  let waiting: T[] = [];
  let scheduled = false;
  const flush = (): void => {
    scheduled = false;
    const values = waiting;
    waiting = [];
    if (values.length > 0) apply(values);
  };
  return {
    push(value) {
      waiting.push(value);
      if (scheduled) return;
      scheduled = true;
      clock.nextFrame(flush);
    },
    flush,
    clear() {
      waiting = [];
    },
  };
}

/** Frames of a real page. A hidden page gets no animation frames, so a timer stands in for them. */
export function pageFrameClock(page: Window): FrameClock {
  return {
    nextFrame(callback) {
      if (page.document.hidden) page.setTimeout(callback, 500);
      else page.requestAnimationFrame(callback);
    },
  };
}
