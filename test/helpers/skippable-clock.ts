/** The system's clock, whose waits a test can pass at once: what is short goes by itself, what is long is skipped. */
import { systemClock, type Clock, type Timer } from '../../src/platform/clock.ts';

export interface SkippableClock extends Clock {
  /** Time jumps; whatever falls due on the way happens now, in order. */
  skip(ms: number): void;
}

interface Waiting {
  due: number;
  fire: () => void;
}

/** What waits for longer than `byItselfMs` waits until it is skipped. */
export function skippableClock(byItselfMs = Number.POSITIVE_INFINITY): SkippableClock {
  const waiting = new Set<Waiting>();
  let skipped = 0;
  const monotonic = (): number => systemClock.monotonic() + skipped;

  return {
    now: () => systemClock.now() + skipped,
    monotonic,
    after(ms, run): Timer {
      const end = (): void => {
        waiting.delete(each);
        real?.cancel();
      };
      const each: Waiting = {
        due: monotonic() + ms,
        fire() {
          end();
          run();
        },
      };
      const real = ms <= byItselfMs ? systemClock.after(ms, each.fire) : null;
      waiting.add(each);
      return { cancel: end };
    },
    skip(ms) {
      skipped += ms;
      const due = [...waiting].filter((each) => each.due <= monotonic()).toSorted((a, b) => a.due - b.due);
      // One of them may cancel another.
      for (const each of due) if (waiting.has(each)) each.fire();
    },
  };
}
