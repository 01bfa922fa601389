/**
 * Notices that a model of ours was reloaded, evicted or unloaded by somebody else (design 7). Ollama tells nobody: all
 * that shows of it is the next `/api/ps`. What Andiron asked for itself is no incident.
 */
import type { Clock } from '../../platform/clock.ts';
import type { LoadedModel } from '../../protocol/model.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { PlanStore } from '../plans/plan-store.ts';
import type { StateStore } from '../state.ts';
import type { OurModel, Ours } from './ours.ts';
import { findResident, type Resident } from './residency.ts';

/** Called when `/api/ps` is asked; what it returns is called with the answer, before the state has it. */
export type ReloadGuard = () => (residents: readonly Resident[]) => void;

export interface ReloadGuardOptions {
  clock: Clock;
  state: StateStore;
  ours: Ours;
  plans: PlanStore;
  incidents: Incidents;
}

/** A model that was about to go by itself when it was last seen has gone by itself. */
const expirySlackMs = 1_000;

export function createReloadGuard(options: ReloadGuardOptions): ReloadGuard {
  const { clock, state, ours, plans, incidents } = options;

  const expired = (last: LoadedModel | undefined): boolean =>
    last !== undefined && Date.parse(last.expiresAt) <= clock.now() + expirySlackMs;

  const tell = (kind: 'reload' | 'evicted', model: string, message: string, advice: string): void =>
    incidents.add({ kind, model, message, advice, costMs: plans.get(model)?.loadMs ?? null });

  const compare = (
    name: string,
    { plan }: OurModel,
    residents: readonly Resident[],
    quiet: boolean,
  ): void => {
    const now = findResident(residents, { name, digest: plans.get(name)?.digest ?? '' });
    const planned = plan.options.num_ctx;
    if (now && (now.context_length ?? planned) === planned) return;
    ours.delete(name);
    if (now) {
      tell(
        'reload',
        name,
        `Another program loaded ${name} anew, with a window of ${String(now.context_length)} tokens instead of ${String(planned)}.`,
        'Its next message loads it again and reads everything. Give the other program the same window, or another model.',
      );
      return;
    }
    const before = state.current().loaded;
    if (quiet || expired(before.find((row) => row.name === name))) return;
    const newcomers = residents.filter((resident) => !before.some((row) => row.name === resident.name));
    const names = newcomers.map((resident) => resident.name).join(' and ');
    tell(
      'evicted',
      name,
      names === ''
        ? `${name} was unloaded by another program.`
        : `${name} had to leave memory for ${names}, which another program loaded.`,
      'Its next message loads it again and reads everything.',
    );
  };

  // A load of ours may make Ollama evict another model of ours.
  const loading = (): boolean => state.current().loading !== null;

  return () => {
    const then = new Map(ours);
    const wasLoading = loading();
    return (residents) => {
      for (const [name, model] of then)
        if (ours.get(name) === model) compare(name, model, residents, wasLoading || loading());
    };
  };
}
