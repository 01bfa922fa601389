/** What a load would cost, told before anything is done. Asks, and never loads. */
import type { LoadPrice, ModelInfo } from '../../protocol/model.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { PlanStore } from '../models/plan-store.ts';
import type { StateStore } from '../base/state.ts';
import type { FitRoom } from '../models/fit.ts';
import type { Monitor } from '../gpu/open-monitor.ts';
import type { Supervisor } from '../supervision/supervisor.ts';
import type { Planner } from './planner.ts';
import type { Ours } from './ours.ts';
import { findResident, hasWindow, type Residency } from './residency.ts';
import { freedBy, oursFirst, selectEvictions } from './room.ts';

export interface PricesOptions {
  supervisor: Pick<Supervisor, 'url'>;
  catalogue: Pick<Catalogue, 'find'>;
  residency: Pick<Residency, 'read'>;
  monitor: Pick<Monitor, 'freeBytes'>;
  fit: Pick<FitRoom, 'judge' | 'neededBytes'>;
  planner: Pick<Planner, 'planFor'>;
  plans: Pick<PlanStore, 'get'>;
  ours: Ours;
}

export function createPrices(state: StateStore, options: PricesOptions) {
  const { supervisor, catalogue, residency, monitor, fit, plans } = options;

  /** As long as the last time; never loaded here = as fast as the others were, by their size. null = no load yet. */
  const expectedMs = (model: ModelInfo): number | null => {
    const record = plans.get(model.name);
    if (record?.digest === model.digest && record.loadMs !== null) return record.loadMs;
    const perByte = state
      .current()
      .models.flatMap(({ name, digest, sizeBytes }) => {
        const other = plans.get(name);
        return other?.digest === digest && other.loadMs !== null && sizeBytes > 0
          ? [other.loadMs / sizeBytes]
          : [];
      })
      .toSorted((a, b) => a - b);
    const median = perByte[Math.floor(perByte.length / 2)];
    return median === undefined ? null : Math.round(median * model.sizeBytes);
  };

  return {
    /** Throws `model_missing`, or `engine_unavailable` when Ollama cannot be asked. */
    async priceOf(name: string, contextTokens: number): Promise<LoadPrice> {
      const url = await supervisor.url();
      const model = await catalogue.find(name);
      const residents = await residency.read(url);
      // As if a person asked for it: only that may make a window larger.
      const plan = await options.planner.planFor({ model, contextTokens, grow: true }, residents);
      const window = plan.options.num_ctx;
      const own = findResident(residents, model);
      const loads = !own || !hasWindow(own, plan);
      const measured = await monitor.freeBytes();
      const { gpus } = state.current();
      const free = measured === null ? null : measured + (own ? freedBy(own, gpus) : 0);
      const others = oursFirst(
        residents.filter((resident) => resident !== own),
        options.ours,
      );
      const need = fit.neededBytes(model, window);
      const leaving = loads ? selectEvictions(need, free, others, gpus) : [];
      const freed = leaving.reduce((sum, resident) => sum + freedBy(resident, gpus), 0);
      return {
        model: model.name,
        contextTokens: window,
        loads,
        loadBytes: loads ? model.sizeBytes : 0,
        loadMs: loads ? expectedMs(model) : 0,
        unloads: leaving.map((resident) => resident.name),
        verdict: await fit.judge(model, window, free === null ? null : free + freed),
      };
    },
  };
}

export type Prices = ReturnType<typeof createPrices>;
