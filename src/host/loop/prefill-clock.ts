/** Fills the silence before the first line: how far the prompt is read, twice a second (design 7, prefill clock). */
import type { Timer } from '../../platform/clock.ts';
import type { RunnerSlot } from '../../protocol/model.ts';
import {
  measuredProgress,
  predictedProgress,
  type Expectation,
  type FirstSight,
} from '../prompt/prefill/progress.ts';
import type { Run } from './run.ts';

const everyMs = 500;

export interface PrefillWatch {
  /** The first line came, or the request ended: nothing more is told. */
  over(): void;
  /** The runner's account of it when it was last seen; null = never. */
  slot(): RunnerSlot | null;
}

/** A prompt that is short is never told of. */
export function watchPrefill(
  model: string,
  expectedTokens: { promptTokens: number; cachedTokens: number },
  run: Run,
): PrefillWatch {
  const { deps } = run;
  const { clock } = deps;
  const expected: Expectation = { since: clock.now(), ...expectedTokens, speed: deps.readingSpeed(model) };
  let seen: RunnerSlot | null = null;
  let first: FirstSight | undefined;
  let over = false;
  let timer: Timer;

  const tell = async (): Promise<void> => {
    const slots = await deps.engine.slots(model);
    if (over) return;
    const now = clock.now();
    const slot = slots?.find(({ isProcessing }) => isProcessing);
    seen = slot ?? seen;
    if (slot && slot.decodedTokens === 0) first ??= { at: now, processedTokens: slot.processedTokens };
    const prefill =
      slot && first ? measuredProgress(expected, slot, first, now) : predictedProgress(expected, now);
    run.emit({ type: 'prefill/progressed', prefill });
    timer = clock.after(everyMs, again);
  };
  const again = (): void => {
    tell().catch((error: unknown) => deps.onInternalError(error));
  };
  timer = clock.after(everyMs, again);
  return {
    over() {
      over = true;
      timer.cancel();
    },
    slot: () => seen,
  };
}
