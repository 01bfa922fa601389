import type { Evaluation, PromptCache, PromptHints } from '../cache/index.ts';
import type { TimeModel } from '../time/index.ts';

/** A stretch of prefill: it lasts `ms`, then `tokens` more are held once `commit` was called. */
export interface TimedBatch {
  tokens: number;
  ms: number;
  commit: () => void;
}

/** The batches of an evaluation with the time the machine takes for them. */
export function* naturalBatches(
  evaluation: Evaluation,
  time: TimeModel,
): Generator<TimedBatch, void, undefined> {
  for (const tokens of evaluation.batches()) {
    yield { tokens, ms: time.batch(tokens, evaluation.held), commit: () => evaluation.commit(tokens) };
  }
}

/** A forced prefill is cut at least this fine, as if num_batch had been learnt for so slow a machine. */
const LONGEST_FORCED_BATCH_MS = 500;

/**
 * A prefill that takes `totalMs`, in equal stretches short enough to be cancelled between. The prompt is
 * evaluated in ever longer beginnings, each found in the cache by the next; `adopt` gets the running one.
 */
export function* forcedBatches(parts: {
  cache: PromptCache;
  prompt: readonly number[];
  hints: PromptHints;
  whole: Evaluation;
  totalMs: number;
  adopt: (evaluation: Evaluation) => void;
}): Generator<TimedBatch, void, undefined> {
  const { cache, prompt, hints, whole, totalMs, adopt } = parts;
  const start = whole.cached;
  const missing = prompt.length - start;
  const steps = Math.min(missing, Math.max(1, Math.ceil(totalMs / LONGEST_FORCED_BATCH_MS)));
  let running = whole;
  for (let step = 1; step <= steps; step++) {
    running.end();
    const evaluation = cache.begin(prompt.slice(0, start + Math.ceil((missing * step) / steps)), hints);
    running = evaluation;
    adopt(evaluation);
    const before = evaluation.held;
    const tokens = start + Math.ceil((missing * step) / steps) - before;
    const commit = () => {
      for (const size of evaluation.batches()) evaluation.commit(size);
    };
    yield { tokens, ms: totalMs / steps, commit };
  }
}
