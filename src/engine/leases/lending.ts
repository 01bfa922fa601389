/** The GPU released for other programs, and reclaimed with the same model and window. */
import { AndironError } from '../../protocol/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Loader } from '../memory/loader.ts';
import type { Ours } from '../memory/ours.ts';
import type { Resident, Residency } from '../memory/residency.ts';
import { freedBy } from '../memory/room.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { PlanStore } from '../models/plan-store.ts';
import type { StateStore } from '../base/state.ts';
import type { Supervisor } from '../supervision/supervisor.ts';
import type { Leases } from './leases.ts';

export interface LendingOptions {
  clock: Clock;
  supervisor: Pick<Supervisor, 'url'>;
  catalogue: Pick<Catalogue, 'find'>;
  residency: Pick<Residency, 'read'>;
  loader: Pick<Loader, 'unload'>;
  leases: Pick<Leases, 'runExclusive' | 'reclaimGpu'>;
  ours: Ours;
  plans: Pick<PlanStore, 'get'>;
}

export function createLending(state: StateStore, options: LendingOptions) {
  const { clock, supervisor, catalogue, residency, loader, leases, ours, plans } = options;

  /** In memory by a load of Andiron's, an earlier one's included; the one used last comes first. */
  const oursInMemory = async (): Promise<Resident[]> => {
    const residents = await residency.read(await supervisor.url());
    const used = [...ours.keys()];
    return residents
      .filter(({ name, context_length: window }) => {
        const planned = plans.get(name)?.plan.options.num_ctx;
        return ours.has(name) || (planned !== undefined && planned === window);
      })
      .toSorted((a, b) => used.indexOf(b.name) - used.indexOf(a.name));
  };

  const releaseAll = async (): Promise<void> => {
    if (state.current().lent) return;
    const residents = await oursInMemory();
    const [last] = residents;
    if (!last) throw nothingToLend();
    const contextTokens = last.context_length ?? plans.get(last.name)?.plan.options.num_ctx ?? 0;
    const { gpus } = state.current();
    for (const { name } of residents) await loader.unload(await catalogue.find(name), () => true);
    const freedBytes = residents.reduce((sum, resident) => sum + freedBy(resident, gpus), 0);
    state.update({ lent: { model: last.name, contextTokens, since: clock.now(), freedBytes } });
  };

  return {
    /** Unloads everything of ours. Refused with `busy` while a turn runs, `not_found` when there is nothing to release. */
    async releaseGpu(): Promise<void> {
      const { lent: released, loading } = state.current();
      if (released) return;
      const [last] = await oursInMemory();
      // What is still being loaded is released as soon as it is there.
      const model = last?.name ?? loading?.model;
      if (model === undefined) throw nothingToLend();
      await leases.runExclusive({ model, label: 'Free the GPU' }, releaseAll);
    },
    /** Resolves when the same model is loaded with the same window. Does nothing where nothing was released. */
    async reclaimGpu(signal: AbortSignal): Promise<void> {
      const { lent: released } = state.current();
      if (released) await leases.reclaimGpu(released, signal);
    },
  };
}

export type Lending = ReturnType<typeof createLending>;

function nothingToLend(): AndironError {
  return new AndironError(
    'not_found',
    'Andiron has no model in memory, so there is nothing to free.',
    'Other programs can use the GPU now.',
  );
}
