/**
 * Fills the silence before the first line: how far the prompt is read, twice a second. Behind it
 * the runner is asked once more: what it found in its cache and what it read is then complete.
 */
import type { Timer } from '../../../platform/clock.ts';
import type { RunnerSlot } from '../../../protocol/model.ts';
import {
  measuredProgress,
  predictedProgress,
  type Expectation,
  type Sight,
} from '../../prompt/prefill/progress.ts';
import type { Output } from '../output.ts';
import type { ModelPort } from '../ports.ts';

const everyMs = 500;

/** A prompt that is short is never told of. */
export function watchPrefill(
  model: string,
  expectedTokens: { promptTokens: number; cachedTokens: number },
  port: Pick<ModelPort, 'engine' | 'readingSpeed'>,
  { clock, emit, reportBug }: Output,
) {
  const expected: Expectation = { since: clock.now(), ...expectedTokens, speed: port.readingSpeed(model) };
  let seen: RunnerSlot | null = null;
  let sights: { first: Sight; last: Sight } | undefined;
  let opened = false;
  let over = false;
  let timer: Timer;
  let asking: Promise<RunnerSlot | undefined> | undefined;

  const ask = async (): Promise<RunnerSlot | undefined> => {
    const slots = await port.engine.slots(model);
    const slot = over ? undefined : slots?.find(({ isProcessing }) => isProcessing);
    seen = slot ?? seen;
    return slot;
  };
  /** A runner answers between two batches, which on a processor is seconds later. */
  const look = (): Promise<RunnerSlot | undefined | 'late'> =>
    new Promise((resolve, reject) => {
      const late = clock.after(everyMs, () => resolve('late'));
      asking ??= ask().finally(() => (asking = undefined));
      asking.then(resolve, reject).finally(() => late.cancel());
    });
  const report = async (): Promise<void> => {
    const slot = await look();
    if (opened || over) return;
    timer = clock.after(everyMs, again);
    // What was measured stands until there is more of it; only the seconds go on.
    emitProgress(slot === 'late' ? ((sights && seen) ?? undefined) : slot);
  };
  const emitProgress = (slot: RunnerSlot | undefined): void => {
    const now = clock.now();
    if (slot && slot.decodedTokens === 0) sights = seenAt(now, slot, sights);
    const prefill =
      slot && sights ? measuredProgress(expected, slot, sights, now) : predictedProgress(expected, now);
    emit({ type: 'prefill/progressed', prefill });
  };
  const again = (): void => void report().catch(reportBug);
  timer = clock.after(everyMs, again);
  return {
    /** The first line came: nothing more is told. */
    opened(): void {
      opened = true;
      timer.cancel();
      ask().catch(reportBug);
    },
    /** The request ended. */
    over(): void {
      over = true;
      timer.cancel();
    },
    /** The runner's account of it when it was last seen; null = never. */
    slot: (): RunnerSlot | null => seen,
  };
}

function seenAt(
  at: number,
  { processedTokens }: RunnerSlot,
  before: { first: Sight; last: Sight } | undefined,
): { first: Sight; last: Sight } {
  const now = { at, processedTokens };
  if (!before) return { first: now, last: now };
  return before.last.processedTokens === processedTokens ? before : { ...before, last: now };
}
