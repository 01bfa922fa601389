/** Saving what can wait: once a second, so a killed host loses at most that. */
import type { Clock, Timer } from '../../platform/clock.ts';

const saveEveryMs = 1000;

export interface Drafts {
  /** Something is not written yet. */
  touch(): void;
  /** What waits is saved now. */
  flush(): void;
}

export function createDrafts(clock: Clock, save: () => void): Drafts {
  let timer: Timer | undefined;
  const flush = (): void => {
    if (!timer) return;
    timer.cancel();
    timer = undefined;
    save();
  };
  return {
    touch() {
      timer ??= clock.after(saveEveryMs, flush);
    },
    flush,
  };
}
