/**
 * Notices that a model of ours was reloaded, evicted or unloaded by somebody else. Ollama tells nobody: all
 * that shows of it is the next `/api/ps`. What Andiron asked for itself is no incident.
 */
import type { Clock } from '../../platform/clock.ts';
import type { LoadedModel } from '../../protocol/model.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { PlanStore } from '../models/plan-store.ts';
import type { StateStore } from '../base/state.ts';
import type { OurModel, Ours, SideModels } from './ours.ts';
import { findResident, type Resident } from './residency.ts';

/** Called when `/api/ps` is asked; what it returns is called with the answer, before the state has it. */
export type ReloadGuard = () => (residents: readonly Resident[]) => void;

export interface ReloadGuardOptions {
  clock: Clock;
  state: StateStore;
  ours: Ours;
  side: SideModels;
  plans: PlanStore;
  incidents: Incidents;
}

/** A model that was about to go by itself when it was last seen has gone by itself. */
const expirySlackMs = 1_000;
/** A model for which ours had to go is listed only when it has been loaded. */
const newcomerMs = 10_000;

interface Missing {
  since: number;
  /** Who was in memory when it was last seen. */
  beside: ReadonlySet<string>;
}

export function createReloadGuard(options: ReloadGuardOptions): ReloadGuard {
  const { clock, state, ours, side, plans, incidents } = options;
  const missing = new Map<string, Missing>();

  const report = (kind: 'reload' | 'evicted', model: string, message: string, advice: string): void =>
    incidents.add({ kind, model, message, advice, costMs: plans.get(model)?.loadMs ?? null });

  const expired = (last: LoadedModel | undefined): boolean =>
    last !== undefined && Date.parse(last.expiresAt) <= clock.now() + expirySlackMs;

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
    const before = state.current().loaded;
    if (now)
      report(
        'reload',
        name,
        `Another program reloaded ${name} with a context of ${String(now.context_length)} tokens instead of ${String(planned)}.`,
        'The next message reloads it and re-reads everything. Give the other program the same context, or another model.',
      );
    else if (!quiet && !expired(before.find((row) => row.name === name)))
      missing.set(name, { since: clock.monotonic(), beside: new Set(before.map((row) => row.name)) });
  };

  /** Told when it shows for whom it had to go, or that it was for nobody. */
  const explain = (name: string, { since, beside }: Missing, residents: readonly Resident[]): void => {
    const newcomers = residents.map((row) => row.name).filter((row) => !beside.has(row) && !ours.has(row));
    const patient = clock.monotonic() - since < newcomerMs && !ours.has(name);
    if (newcomers.length === 0 && patient) return;
    missing.delete(name);
    // Whoever loaded that says so.
    if (newcomers.some((row) => side.has(row))) return;
    report(
      'evicted',
      name,
      newcomers.length > 0
        ? `${name} had to leave memory for ${newcomers.join(' and ')}, which another program loaded.`
        : `Another program unloaded ${name}, or Ollama was restarted.`,
      'The next message reloads it and re-reads everything.',
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
      for (const [name, each] of missing) explain(name, each, residents);
    };
  };
}
