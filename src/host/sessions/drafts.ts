/** Saving what can wait: once a second, so a killed host loses at most that. */
import type { Clock, Timer } from '../../platform/clock.ts';

const saveEveryMs = 1000;

export type Drafts = ReturnType<typeof createDrafts>;

export function createDrafts(clock: Clock, save: () => void) {
  let timer: Timer | undefined;
  const clear = (): void => {
    timer?.cancel();
    timer = undefined;
  };
  const flush = (): void => {
    if (!timer) return;
    clear();
    save();
  };
  return {
    /** Something is not written yet. */
    touch(): void {
      timer ??= clock.after(saveEveryMs, flush);
    },
    isWaiting: (): boolean => timer !== undefined,
    /** All is written, also what waited. */
    clear,
    /** What waits is saved now. */
    flush,
  };
}
