/** What a load has to be given, from everything that is known of the model. */
import type { ModelInfo } from '../../protocol/model.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { PlanStore } from '../plans/plan-store.ts';
import type { Need } from './fit.ts';

export interface Known {
  catalogue: Pick<Catalogue, 'bytesPerToken'>;
  plans: PlanStore;
  /** By the model's architecture; null = not known so far. */
  estimate?: ((model: ModelInfo, contextTokens: number) => number | null) | undefined;
}

export function needOf(model: ModelInfo, contextTokens: number, { catalogue, plans, estimate }: Known): Need {
  const record = plans.get(model.name);
  const samePlan = record?.digest === model.digest && record.plan.options.num_ctx === contextTokens;
  return {
    model,
    contextTokens,
    bytesPerToken: catalogue.bytesPerToken(model),
    measuredBytes: samePlan ? record.sizeBytes : null,
    estimatedBytes: estimate?.(model, contextTokens) ?? null,
  };
}
