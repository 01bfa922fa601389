/** The runner options with which a model is loaded: decided once, then sent to the letter by everybody. */
import type { LoadPlan, ModelInfo } from '../../protocol/model.ts';
import { learntBatch, type PrefillRate } from './batch.ts';

/** A batch is never aborted, so on a CPU a large one makes Stop wait: 256 is as fast and idle in 1.7 s. */
export const cpuBatch = 256;

export interface PlanWish {
  model: Pick<ModelInfo, 'name' | 'trainedContext'>;
  contextTokens: number;
  /** It runs on the CPU in whole or part. null = not known yet, and then the engine's own choice stands. */
  onCpu: boolean | null;
  /** Measured at its prefills; undefined = none yet. */
  rate: PrefillRate | undefined;
}

export function makePlan({ model, contextTokens, onCpu, rate }: PlanWish): LoadPlan {
  const window = Math.min(contextTokens, model.trainedContext ?? contextTokens);
  const batch = onCpu === true ? cpuBatch : learntBatch(rate, window);
  return {
    model: model.name,
    options: { num_ctx: window, ...(batch !== undefined && { num_batch: batch }) },
    shift: false,
  };
}
