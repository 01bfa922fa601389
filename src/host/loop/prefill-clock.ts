/** Fills the silence before the first line: how far the prompt is read, twice a second (design 7, prefill clock). */
import type { Timer } from '../../platform/clock.ts';
import {
  measuredProgress,
  predictedProgress,
  type Expectation,
  type FirstSight,
} from '../prompt/prefill/progress.ts';
import type { ModelRequest } from '../providers/provider.ts';
import { promptTokens } from './model-request.ts';
import type { Run } from './run.ts';

const everyMs = 500;

/** Tells until it is called: the first line came, or the request ended. A prompt that is short is never told of. */
export function watchPrefill({ model, messages }: ModelRequest, run: Run): () => void {
  const { deps } = run;
  const { clock } = deps;
  const tokens = promptTokens(messages, run);
  const expected: Expectation = {
    since: clock.now(),
    promptTokens: tokens,
    cachedTokens: deps.expectCached(tokens),
    speed: deps.readingSpeed(model),
  };
  let first: FirstSight | undefined;
  let over = false;
  let timer: Timer;

  const tell = async (): Promise<void> => {
    const slots = await deps.engine.slots(model);
    if (over) return;
    const now = clock.now();
    const slot = slots?.find(({ isProcessing }) => isProcessing);
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
  return () => {
    over = true;
    timer.cancel();
  };
}
