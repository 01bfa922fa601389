/** Which open items grew since they were last written: saved once a second, so a killed host loses at most that (design 3). */
import type { Clock, Timer } from '../../platform/clock.ts';

const saveEveryMs = 1000;

export interface Drafts {
  touch(itemId: string): void;
  close(): void;
}

export function createDrafts(clock: Clock, save: (itemIds: ReadonlySet<string>) => void): Drafts {
  let touched = new Set<string>();
  let timer: Timer | undefined;
  const flush = (): void => {
    timer?.cancel();
    timer = undefined;
    const due = touched;
    touched = new Set();
    if (due.size > 0) save(due);
  };
  return {
    touch(itemId) {
      touched.add(itemId);
      timer ??= clock.after(saveEveryMs, flush);
    },
    close: flush,
  };
}
