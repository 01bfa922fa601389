/** A verdict on a load from its size alone; stands until a better formula is injected in its place. */
import type { EngineState } from '../../protocol/model.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { PlanStore } from '../plans/plan-store.ts';
import { predictedBytes, type Need } from './fit.ts';
import type { JudgeFit } from './room.ts';

/** The least that the estimate may err without a word. */
const tightShare = 0.9;

export function needOf(
  model: Parameters<JudgeFit>[0],
  contextTokens: number,
  { catalogue, plans }: { catalogue: Pick<Catalogue, 'bytesPerToken'>; plans: PlanStore },
): Need {
  const record = plans.get(model.name);
  const samePlan = record?.digest === model.digest && record.plan.options.num_ctx === contextTokens;
  return {
    model,
    contextTokens,
    bytesPerToken: catalogue.bytesPerToken(model),
    measuredBytes: samePlan ? record.sizeBytes : null,
  };
}

export function createJudge(
  known: { catalogue: Pick<Catalogue, 'bytesPerToken'>; plans: PlanStore },
  state: () => EngineState,
): JudgeFit {
  return (model, contextTokens, freeBytes) => {
    if (freeBytes === null) return 'unknown';
    const need = predictedBytes(needOf(model, contextTokens, known));
    if (need <= freeBytes * tightShare) return 'fits';
    if (need <= freeBytes) return 'tight';
    const { gpus, memory } = state();
    // Without a GPU these are all the bytes there are.
    const beside = gpus?.length === 0 ? 0 : (memory.totalBytes ?? Infinity) - (memory.usedBytes ?? 0);
    return need <= freeBytes + beside ? 'spills' : 'too_big';
  };
}
