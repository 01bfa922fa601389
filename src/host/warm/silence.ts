/** When a request that nobody hears of counts as lost: by the clock, and by what the runner says of its slots. */
import type { Clock, Timer } from '../../platform/clock.ts';

export interface SilenceOptions {
  clock: Clock;
  /** Without an answer for so long, it is asked whether the runner works at all. */
  deadlineMs: number;
  /** How long the reading itself should take; added where the runner cannot be asked. */
  readingMs: number;
  /** null = it cannot be asked. */
  isProcessing: () => Promise<boolean | null>;
  onSilent: () => void;
}

/** A runner that works has not lost its slot, however long it takes: then the same time is given again. */
export function watchSilence(options: SilenceOptions): Timer {
  const { clock, deadlineMs, readingMs, isProcessing, onSilent } = options;
  let over = false;
  let timer = clock.after(deadlineMs, () => void look());

  async function look(): Promise<void> {
    const processing = await isProcessing();
    if (over) return;
    if (processing === true) timer = clock.after(deadlineMs, () => void look());
    else if (processing === null) timer = clock.after(readingMs, onSilent);
    else onSilent();
  }

  return {
    cancel() {
      over = true;
      timer.cancel();
    },
  };
}
