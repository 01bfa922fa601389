/**
 * Loads and unloads, one at a time. A load is the engine's own request: whoever asked for it may leave, it goes
 * on. The old model is unloaded by us before the new one is loaded, when both would not fit.
 */
import { isDeepStrictEqual } from 'node:util';
import type { KeepAlive } from '../../ollama/api.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { LoadPlan, ModelInfo } from '../../protocol/model.ts';
import { ask, isConnectionLoss } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { Incidents } from '../incidents/incidents.ts';
import type { StateStore } from '../base/state.ts';
import type { FitRoom } from '../models/fit.ts';
import type { Supervisor } from '../supervision/supervisor.ts';
import { fits } from '../models/load-need.ts';
import { keepAliveOf } from './ours.ts';
import { createPlanner, type LoadWish, type Planner, type PlannerOptions } from './planner.ts';
import { findResident, hasWindow, type Residency, type Resident } from './residency.ts';
import { freedBy, oursFirst } from './room.ts';
import { starved, watchForStarvation } from './starvation.ts';
import { createUnloading } from './unloading.ts';

export interface Loaded {
  /** Where it was loaded. */
  url: string;
  plan: LoadPlan;
  /** False when the model was in memory with this plan already. */
  loaded: boolean;
}

export interface Loader extends Pick<Planner, 'planFor' | 'learnPrefill'> {
  /**
   * Goes on when `wanted` fires, except while it only waits for memory that another program keeps: then `cancelled`.
   * `givenUp` closes the load, which Ollama then throws away: rejects with its reason.
   */
  ensure(wish: LoadWish, wanted: AbortSignal, givenUp?: AbortSignal): Promise<Loaded>;
  /**
   * Resolves when `/api/ps` no longer lists it. `mayUnload` is asked again when its turn has come: after the load that
   * runs, or at once when the model stands in the way of that load.
   */
  unload(model: ModelInfo, mayUnload: () => boolean): Promise<void>;
  /** Gives an idle model of ours its keep-alive anew, with the plan it was loaded with. */
  renew(name: string): Promise<void>;
  /** Of a model that this process loaded and that is in memory, as far as known. */
  planInForce(name: string): LoadPlan | undefined;
  /** What was known about it may no longer be so: the next load is sent, and proves it. */
  forget(name: string): void;
}

/** A load on its way, from the first unload that makes room for it. */
interface Job {
  url: string;
  model: ModelInfo;
  plan: LoadPlan;
  /** Fires when nobody waits for it any more. */
  wanted: AbortSignal;
  abandoned: AbortController;
}

export interface LoaderOptions extends PlannerOptions {
  supervisor: Pick<Supervisor, 'url'>;
  residency: Pick<Residency, 'read'>;
  incidents: Pick<Incidents, 'add'>;
  fit: Pick<FitRoom, 'judge' | 'neededBytes'>;
  facts: Facts;
}

const renewMs = 30_000;
/** An idle model goes within five seconds, so after these somebody uses it. */
const certainPatienceMs = 8_000;
/** Where it is unknown whether both fit, only a load far longer than the last one says something. */
const patienceFactor = 3;
const minPatienceMs = 30_000;
const assumedLoadMs = 20_000;
/** The renewal of a model that is loaded takes no time; if its runner has died, it is a load. */
const silentRenewalMs = 1_000;

export function createLoader(deps: EngineDeps, state: StateStore, options: LoaderOptions): Loader {
  const { clock, ollama, log } = deps;
  const { supervisor, residency, monitor, fit, ours, incidents, facts } = options;
  const planner = createPlanner(state, options);
  const unloadFrom = createUnloading(deps, residency, ours);
  /** Something failed on them: what happens to them next was their runner's end. */
  const doubted = new Set<string>();
  let last: Promise<unknown> = Promise.resolve();
  /** What the load that runs waits for. */
  let blockers: readonly string[] = [];

  /** Loads and unloads never overlap: an unload during a load is answered and does nothing. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };

  const keepAlive = (): KeepAlive => {
    const { keepAlive: policy, keepMinutes } = state.current();
    return keepAliveOf(policy, keepMinutes);
  };

  const ensureNow = async (
    wish: LoadWish,
    wanted: AbortSignal,
    givenUp: AbortSignal | undefined,
  ): Promise<Loaded> => {
    const { model } = wish;
    givenUp?.throwIfAborted();
    const url = await supervisor.url();
    const residents = await residency.read(url);
    const resident = findResident(residents, model);
    const plan = await planner.planFor(wish, residents);
    // Another program may have reloaded it since: its window is all that shows of that.
    const hadPlan = resident !== undefined && hasWindow(resident, plan);
    const known = ours.get(model.name);
    if (hadPlan && known && isDeepStrictEqual(known.plan, plan)) {
      // The last one in the order of use.
      ours.delete(model.name);
      ours.set(model.name, known);
      return { url, plan, loaded: false };
    }

    ours.delete(model.name);
    if (resident === undefined && doubted.delete(model.name)) reportDied(model, planner.loadMsOf(model));
    const job: Job = { url, model, plan, wanted, abandoned: new AbortController() };
    const onUnwanted = (): void => abandonIfStarved(job);
    const onGivenUp = (): void => job.abandoned.abort(givenUp?.reason);
    wanted.addEventListener('abort', onUnwanted, { once: true });
    givenUp?.addEventListener('abort', onGivenUp, { once: true });
    if (givenUp?.aborted) onGivenUp();
    if (!hadPlan) reportLoading(model);
    try {
      const crowded = !hadPlan && ((await makeRoom(job, residents)) || resident !== undefined);
      await load(job, hadPlan, crowded);
    } finally {
      wanted.removeEventListener('abort', onUnwanted);
      givenUp?.removeEventListener('abort', onGivenUp);
      reportBlockers(job, []);
      state.update({ loading: null });
    }
    return { url, plan, loaded: !hadPlan };
  };

  const reportLoading = (model: ModelInfo): void => {
    state.update({
      loading: { model: model.name, since: clock.now(), expectedMs: planner.loadMsOf(model) },
    });
  };

  const reportBlockers = (job: Job, now: readonly string[], certain = true): void => {
    const before = blockers;
    blockers = now;
    const failure = now.length > 0 ? starved(job.model.name, now, certain) : null;
    if (failure || before.length > 0) facts.publish({ type: 'load/starved', failure });
    if (job.wanted.aborted) abandonIfStarved(job);
  };

  /** What only waits is not a load yet, and with nobody to wait for it would keep everybody else from the GPU. */
  const abandonIfStarved = ({ model, abandoned }: Job): void => {
    if (blockers.length === 0) return;
    abandoned.abort(
      new AndironError('cancelled', `Nobody waits for ${model.name} any more; it was not loaded.`),
    );
  };

  /** @param crowded it is known that something has to go first. */
  const load = async (job: Job, inMemory: boolean, crowded: boolean): Promise<void> => {
    const { url, model, plan, abandoned } = job;
    const began = clock.monotonic();
    const lastTook = planner.loadMsOf(model) ?? assumedLoadMs;
    const watch = watchForStarvation({
      clock,
      patienceMs: crowded ? certainPatienceMs : Math.max(minPatienceMs, lastTook * patienceFactor),
      blockers: () => inTheWay(job),
      onChange: (names) => reportBlockers(job, names, crowded),
    });
    const renewing = clock.after(silentRenewalMs, () => reportLoading(model));
    try {
      abandoned.signal.throwIfAborted();
      // As slow as it must be: Ollama gives up by itself when nothing moves for 5 minutes.
      const duration = keepAlive();
      await ollama.load(url, plan, duration, abandoned.signal);
      const tookMs = clock.monotonic() - began;
      ours.set(model.name, { plan, keepAlive: duration });
      if (inMemory) reportSilentReload(model, tookMs);
      doubted.delete(model.name);
      await planner.learnLoad(model, plan, inMemory ? null : tookMs, () => residency.read(url));
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      facts.publish({ type: 'engine/unanswered' });
      throw wentAway(model.name, error);
    } finally {
      watch.stop();
      renewing.cancel();
    }
  };

  /** It was listed as it should be, and had to be loaded all the same: that takes its time. */
  const reportSilentReload = ({ name }: Pick<ModelInfo, 'name'>, costMs: number): void => {
    if (costMs < silentRenewalMs) return;
    if (doubted.has(name)) {
      reportDied({ name }, costMs);
      return;
    }
    incidents.add({
      kind: 'reload',
      model: name,
      message: `${name} had to be loaded again: another program had changed its options, or its runner had ended.`,
      advice: 'Give the other program another model, or the same options.',
      costMs,
    });
  };

  const reportDied = ({ name }: Pick<ModelInfo, 'name'>, costMs: number | null): void =>
    incidents.add({
      kind: 'runner_died',
      model: name,
      message: `The runner of ${name} ended by itself, and it had to be loaded again.`,
      advice: 'If it happens again, free GPU memory or make the window smaller.',
      costMs,
    });

  /** What other programs keep in memory while the model is not there: itself with another window, or others. */
  const inTheWay = async ({ url, model, plan }: Job): Promise<string[]> => {
    try {
      const residents = await residency.read(url);
      const own = findResident(residents, model);
      if (own) return hasWindow(own, plan) ? [] : [model.name];
      // What Andiron itself has loaded is idle, and goes when Ollama needs its place.
      return residents.flatMap(({ name }) => (ours.has(name) ? [] : [name]));
    } catch (error) {
      log.warn('it is unknown what a load waits for', { model: model.name, reason: String(error) });
      return [...blockers];
    }
  };

  /**
   * What would not fit beside the new model goes, ours first. Nothing is touched while the fit is unknown.
   * Resolves with whether it is known to be too little still.
   */
  const makeRoom = async (job: Job, residents: readonly Resident[]): Promise<boolean> => {
    const { model, plan } = job;
    const need = fit.neededBytes(model, plan.options.num_ctx);
    const own = findResident(residents, model);
    const others = residents.filter((resident) => resident !== own);
    let free = others.length === 0 ? null : await monitor.freeBytes();
    const { gpus } = state.current();
    // Its old self goes by itself, and first.
    if (free !== null && own) free += freedBy(own, gpus);
    for (const other of oursFirst(others, ours)) {
      if (fits(need, free) !== false) return false;
      const gone = await cancelForTurn(job, other.name);
      if (gone && free !== null) free += freedBy(other, gpus);
    }
    return fits(need, free) === false;
  };

  /** False when another program goes on using it. */
  const cancelForTurn = async (job: Job, name: string): Promise<boolean> => {
    try {
      await unloadFrom(job.url, name, (waitedMs) => {
        if (waitedMs >= certainPatienceMs) reportBlockers(job, [name]);
        job.abandoned.signal.throwIfAborted();
      });
      reportBlockers(job, []);
      return true;
    } catch (error) {
      if (!(error instanceof AndironError) || error.code !== 'busy') throw error;
      log.warn('a model that was to make room is in use elsewhere', { model: name });
      return false;
    }
  };

  const unload = async (model: ModelInfo, mayUnload: () => boolean): Promise<void> => {
    if (!mayUnload()) throw inUse(model.name);
    const url = await supervisor.url();
    const resident = findResident(await residency.read(url), model);
    if (resident) await unloadFrom(url, resident.name);
  };

  const forgetAll = (): void => {
    ours.clear();
    doubted.clear();
  };
  // Its memory is empty.
  facts.on('engine/appeared', forgetAll);
  facts.on('engine/gone', forgetAll);

  return {
    ensure: (wish, wanted, givenUp) => inTurn(() => ensureNow(wish, wanted, givenUp)),
    unload: (model, mayUnload) =>
      blockers.includes(model.name) ? unload(model, mayUnload) : inTurn(() => unload(model, mayUnload)),
    renew: (name) =>
      inTurn(async () => {
        const model = ours.get(name);
        if (!model) return;
        const url = await supervisor.url();
        const duration = keepAlive();
        const began = clock.monotonic();
        await ask(clock, renewMs, (signal) => ollama.load(url, model.plan, duration, signal));
        model.keepAlive = duration;
        reportSilentReload({ name }, clock.monotonic() - began);
        await residency.read(url);
      }),
    planFor: (wish, residents) => planner.planFor(wish, residents),
    learnPrefill: (name, measured) => planner.learnPrefill(name, measured),
    planInForce: (name) => ours.get(name)?.plan,
    forget(name) {
      if (ours.delete(name)) doubted.add(name);
    },
  };
}

export function inUse(name: string): AndironError {
  return new AndironError('busy', `${name} is in use.`, 'Stop the turn first, or wait until it is finished.');
}

function wentAway(model: string, cause: unknown): AndironError {
  return new AndironError(
    'engine_unavailable',
    `Ollama went away while it loaded ${model}.`,
    'Start Ollama again, then try once more.',
    { cause },
  );
}
