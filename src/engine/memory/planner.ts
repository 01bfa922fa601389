/** With which plan a model is loaded, and what its loads teach about the next one. */
import type { LoadPlan, ModelInfo } from '../../protocol/model.ts';
import { defaultContextTokens } from '../../protocol/profile-limits.ts';
import { contextWindow } from '../../rules/context-window.ts';
import type { FitRoom } from '../models/fit.ts';
import type { Monitor } from '../gpu/open-monitor.ts';
import { learnRate } from '../models/batch.ts';
import { makePlan } from '../models/load-plan.ts';
import type { PlanRecord, PlanStore } from '../models/plan-store.ts';
import { windowThatFits } from '../models/largest-window.ts';
import type { StateStore } from '../base/state.ts';
import type { Ours } from './ours.ts';
import { findResident, hasWindow, type Resident } from './residency.ts';
import { freedBy } from './room.ts';

export interface LoadWish {
  model: ModelInfo;
  /** undefined = whatever was planned before. */
  contextTokens: number | undefined;
  /** Reload a loaded model for a larger window. Only when a person asked for exactly that. */
  grow: boolean;
}

export interface PlannerOptions {
  plans: Pick<PlanStore, 'get' | 'put'>;
  ours: Ours;
  monitor: Pick<Monitor, 'freeBytes' | 'hasNoGpu'>;
  fit: Pick<FitRoom, 'judge'>;
}

export function createPlanner(state: StateStore, options: PlannerOptions) {
  const { plans, ours, monitor, fit } = options;

  const recordOf = (model: ModelInfo): PlanRecord | undefined => {
    const record = plans.get(model.name);
    return record?.digest === model.digest ? record : undefined;
  };

  /** The largest window up to the wish for which there is room; what is ours would go for it. */
  const windowBeside = async (
    model: ModelInfo,
    wish: number,
    residents: readonly Resident[],
  ): Promise<number> => {
    const measured = await monitor.freeBytes();
    if (measured === null) return wish;
    const own = findResident(residents, model);
    const { gpus } = state.current();
    const free = residents
      .filter((resident) => resident === own || ours.has(resident.name))
      .reduce((sum, resident) => sum + freedBy(resident, gpus), measured);
    return windowThatFits(wish, async (window) => fit.judge(model, window, free));
  };

  return {
    /** The plan in force stays as long as the model does; the next natural load may have a new one. */
    /** The plan in force, or the one of the next load. Loads nothing. */
    async planFor(
      { model, contextTokens, grow }: LoadWish,
      residents: readonly Resident[],
    ): Promise<LoadPlan> {
      const record = recordOf(model);
      const resident = findResident(residents, model);
      const inForce = record && resident && hasWindow(resident, record.plan) ? record.plan : null;
      // It was loaded with this size before.
      const known = contextTokens === undefined ? record?.plan.options.num_ctx : undefined;
      const { tokens: window } = contextWindow({
        tokens: contextTokens ?? known ?? defaultContextTokens,
        trained: model.trainedContext,
        named: grow || known !== undefined,
      });
      if (inForce && (!grow || window <= inForce.options.num_ctx)) return inForce;
      return makePlan({
        model,
        // What a person names is not argued with.
        contextTokens: grow ? window : await windowBeside(model, window, residents),
        // What was measured is worth more than what the names of cards let one expect.
        onCpu: record?.onCpu ?? (await monitor.hasNoGpu()),
        rate: record?.rate,
      });
    },
    /** How long its last load took; null = unknown. */
    loadMsOf: (model: ModelInfo): number | null => recordOf(model)?.loadMs ?? null,
    /**
     * A plan is kept once it has been loaded with: a window that failed is not asked for again by itself.
     * @param tookMs null = it was in memory, so nothing is learnt about the time.
     */
    async learnLoad(
      model: ModelInfo,
      plan: LoadPlan,
      tookMs: number | null,
      read: () => Promise<Resident[]>,
    ): Promise<void> {
      const before = recordOf(model);
      const record: PlanRecord = {
        digest: model.digest,
        plan,
        onCpu: null,
        sizeBytes: null,
        loadMs: tookMs === null ? (before?.loadMs ?? null) : Math.round(tookMs),
        ...(before?.rate && { rate: before.rate }),
      };
      plans.put(model.name, record);
      const row = findResident(await read(), model);
      // A size of nothing: Ollama could not read it off its runner, and where the model lies neither.
      if (!row || row.size === 0) return;
      plans.put(model.name, { ...record, sizeBytes: row.size, onCpu: row.size_vram < row.size });
    },
    /** One prefill as the host measured it: the next natural load has the batch that suits the speed. */
    learnPrefill(name: string, measured: { evaluatedTokens: number; ms: number }): void {
      const record = plans.get(name);
      if (!record) return;
      const rate = learnRate(record.rate, measured);
      if (rate && rate !== record.rate) plans.put(name, { ...record, rate });
    },
  };
}

export type Planner = ReturnType<typeof createPlanner>;
