/** When a request that nobody hears of counts as lost: by the clock, and by what the runner says of its slots. */
import type { Clock, Timer } from '../../platform/clock.ts';
import type { RunnerSlot } from '../../protocol/model.ts';

/** null = the runner cannot be asked. */
export type ReadSlots = (model: string) => Promise<readonly RunnerSlot[] | null>;

export interface SilenceOptions {
  clock: Clock;
  /** Without an answer for so long, it is asked whether the runner works at all. */
  deadlineMs: number;
  /** How long the silent work should take; added where the runner cannot be asked. */
  workMs: number;
  /** null = it cannot be asked. */
  isProcessing: () => Promise<boolean | null>;
  onSilent: () => void;
}

/** A runner that works has not lost its slot, however long it takes: then the same time is given again. */
export function watchSilence(options: SilenceOptions): Timer {
  const { clock, deadlineMs, workMs, isProcessing, onSilent } = options;
  let over = false;
  let timer = clock.after(deadlineMs, () => void look());

  async function look(): Promise<void> {
    const processing = await isProcessing();
    if (over) return;
    if (processing === true) timer = clock.after(deadlineMs, () => void look());
    else if (processing === null) timer = clock.after(workMs, onSilent);
    else onSilent();
  }

  return {
    cancel() {
      over = true;
      timer.cancel();
    },
  };
}

/** What writes has written a token meanwhile. */
const lookAgainMs = 2_000;

/** Whether the runner's tokens grow: one that hangs looks busy, too. null = it cannot be asked. */
export async function isWriting(model: string, slots: ReadSlots, clock: Clock): Promise<boolean | null> {
  const before = await slots(model);
  if (before === null) return null;
  await new Promise<void>((resolve) => void clock.after(lookAgainMs, resolve));
  const now = await slots(model);
  if (now === null) return null;
  return now.some(
    ({ id, isProcessing, decodedTokens }) =>
      isProcessing && decodedTokens !== before.find((slot) => slot.id === id)?.decodedTokens,
  );
}
