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
import type { Monitor } from '../gpu/open-monitor.ts';
import { keepAliveOf, type Ours, type SideModels } from './ours.ts';
import { LoadJob } from './load-job.ts';
import type { LoadWish, Planner } from './planner.ts';
import { findResident, hasWindow, type Residency, type Resident } from './residency.ts';
import { freedBy, oursFirst } from './room.ts';
import { watchForStarvation } from './starvation.ts';
import { createUnloading, type UnloadFrom } from './unloading.ts';

export interface Loaded {
  /** Where it was loaded. */
  url: string;
  plan: LoadPlan;
  /** False when the model was in memory with this plan already. */
  loaded: boolean;
}

export interface LoaderOptions {
  supervisor: Pick<Supervisor, 'url'>;
  residency: Pick<Residency, 'read'>;
  monitor: Pick<Monitor, 'freeBytes'>;
  fit: Pick<FitRoom, 'neededBytes'>;
  planner: Pick<Planner, 'planFor' | 'loadMsOf' | 'learnLoad'>;
  incidents: Pick<Incidents, 'add'>;
  ours: Ours;
  side: SideModels;
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

export class Loader {
  readonly #deps: EngineDeps;
  readonly #state: StateStore;
  readonly #options: LoaderOptions;
  readonly #unloadFrom: UnloadFrom;
  /** Something failed on them: what happens to them next was their runner's end. */
  readonly #doubted = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();
  #job: LoadJob | null = null;

  constructor(deps: EngineDeps, state: StateStore, options: LoaderOptions) {
    this.#deps = deps;
    this.#state = state;
    this.#options = options;
    const { residency, ours, facts } = options;
    this.#unloadFrom = createUnloading(deps, residency, ours);
    const forgetAll = (): void => {
      ours.clear();
      this.#doubted.clear();
    };
    // Its memory is empty.
    facts.on('engine/appeared', forgetAll);
    facts.on('engine/gone', forgetAll);
  }

  /**
   * Goes on when `wanted` fires, except while it only waits for memory that another program keeps: then `cancelled`.
   * `givenUp` closes the load, which Ollama then throws away: rejects with its reason.
   */
  ensure(wish: LoadWish, wanted: AbortSignal, givenUp?: AbortSignal): Promise<Loaded> {
    return this.#inTurn(() => this.#ensureNow(wish, wanted, givenUp));
  }

  /**
   * Resolves when `/api/ps` no longer lists it. `mayUnload` is asked again when its turn has come: after the load that
   * runs, or at once when the model stands in the way of that load.
   */
  unload(model: ModelInfo, mayUnload: () => boolean): Promise<void> {
    const unload = async (): Promise<void> => {
      if (!mayUnload()) throw inUse(model.name);
      const url = await this.#options.supervisor.url();
      const resident = findResident(await this.#options.residency.read(url), model);
      if (resident) await this.#unloadFrom(url, resident.name);
    };
    return this.#job?.blockers.includes(model.name) ? unload() : this.#inTurn(unload);
  }

  /** Gives an idle model of ours its keep-alive again, with the plan it was loaded with. */
  renew(name: string): Promise<void> {
    const { clock, ollama } = this.#deps;
    const { supervisor, residency, ours } = this.#options;
    return this.#inTurn(async () => {
      const model = ours.get(name);
      if (!model) return;
      const url = await supervisor.url();
      const duration = this.#keepAlive();
      const began = clock.monotonic();
      await ask(clock, renewMs, (signal) => ollama.load(url, model.plan, duration, signal));
      model.keepAlive = duration;
      this.#reportSilentReload(name, clock.monotonic() - began);
      await residency.read(url);
    });
  }

  /** Of a model that this process loaded and that is in memory, as far as known. */
  planInForce(name: string): LoadPlan | undefined {
    return this.#options.ours.get(name)?.plan;
  }

  /** What was known about it may no longer be so: the next load is sent, and proves it. */
  forget(name: string): void {
    if (this.#options.ours.delete(name)) this.#doubted.add(name);
  }

  /** Loads and unloads never overlap: an unload during a load is answered and does nothing. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  #keepAlive(): KeepAlive {
    const { keepAlive: policy, keepMinutes } = this.#state.current();
    return keepAliveOf(policy, keepMinutes);
  }

  async #ensureNow(wish: LoadWish, wanted: AbortSignal, givenUp: AbortSignal | undefined): Promise<Loaded> {
    const { supervisor, residency, planner, ours, facts } = this.#options;
    const { model } = wish;
    givenUp?.throwIfAborted();
    const url = await supervisor.url();
    const residents = await residency.read(url);
    const resident = findResident(residents, model);
    const plan = await planner.planFor(wish, residents);
    // Another program may have reloaded it since: its window is all that shows of that.
    const hadPlan = resident !== undefined && hasWindow(resident, plan);
    const known = ours.get(model.name);
    ours.delete(model.name);
    if (hadPlan && known && isDeepStrictEqual(known.plan, plan)) {
      // The last one in the order of use.
      ours.set(model.name, known);
      return { url, plan, loaded: false };
    }

    if (resident === undefined && this.#doubted.delete(model.name)) {
      this.#reportDied(model.name, planner.loadMsOf(model));
    }
    const job = new LoadJob({ url, model, plan }, facts, wanted, givenUp);
    this.#job = job;
    if (!hadPlan) this.#reportLoading(model);
    try {
      const crowded = !hadPlan && ((await this.#makeRoom(job, residents)) || resident !== undefined);
      await this.#load(job, hadPlan, crowded);
    } finally {
      job.end();
      this.#job = null;
      this.#state.update({ loading: null });
    }
    return { url, plan, loaded: !hadPlan };
  }

  #reportLoading(model: ModelInfo): void {
    const expectedMs = this.#options.planner.loadMsOf(model);
    this.#state.update({ loading: { model: model.name, since: this.#deps.clock.now(), expectedMs } });
  }

  /** @param crowded it is known that something has to go first. */
  async #load(job: LoadJob, inMemory: boolean, crowded: boolean): Promise<void> {
    const { clock, ollama } = this.#deps;
    const { planner, residency, ours, facts } = this.#options;
    const { url, model, plan, signal } = job;
    const began = clock.monotonic();
    const lastTook = planner.loadMsOf(model) ?? assumedLoadMs;
    const watch = watchForStarvation({
      clock,
      patienceMs: crowded ? certainPatienceMs : Math.max(minPatienceMs, lastTook * patienceFactor),
      blockers: () => this.#inTheWay(job),
      onChange: (names) => job.reportBlockers(names, crowded),
    });
    const renewing = clock.after(silentRenewalMs, () => this.#reportLoading(model));
    try {
      signal.throwIfAborted();
      // As slow as it must be: Ollama gives up by itself when nothing moves for 5 minutes.
      const keepAlive = this.#keepAlive();
      await ollama.load(url, plan, keepAlive, signal);
      const tookMs = clock.monotonic() - began;
      ours.set(model.name, { plan, keepAlive });
      if (inMemory) this.#reportSilentReload(model.name, tookMs);
      this.#doubted.delete(model.name);
      await planner.learnLoad(model, plan, inMemory ? null : tookMs, () => residency.read(url));
    } catch (error) {
      if (!isConnectionLoss(error)) throw error;
      facts.publish({ type: 'engine/unanswered' });
      throw wentAway(model.name, error);
    } finally {
      watch.stop();
      renewing.cancel();
    }
  }

  /** It was listed as it should be, and had to be loaded all the same: that takes its time. */
  #reportSilentReload(name: string, costMs: number): void {
    if (costMs < silentRenewalMs) return;
    if (this.#doubted.has(name)) {
      this.#reportDied(name, costMs);
      return;
    }
    this.#options.incidents.add({
      kind: 'reload',
      model: name,
      message: `${name} had to be loaded again: another program had changed its options, or its runner had ended.`,
      advice: 'Give the other program another model, or the same options.',
      costMs,
    });
  }

  #reportDied(name: string, costMs: number | null): void {
    this.#options.incidents.add({
      kind: 'runner_died',
      model: name,
      message: `The runner of ${name} ended by itself, and it had to be loaded again.`,
      advice: 'If it happens again, free GPU memory or make the window smaller.',
      costMs,
    });
  }

  /** What other programs keep in memory while the model is not there: itself with another window, or others. */
  async #inTheWay(job: LoadJob): Promise<string[]> {
    const { url, model, plan } = job;
    const { residency, ours, side } = this.#options;
    try {
      const residents = await residency.read(url);
      const own = findResident(residents, model);
      if (own) return hasWindow(own, plan) ? [] : [model.name];
      // What Andiron itself has loaded is idle, and goes when Ollama needs its place.
      return residents.flatMap(({ name }) => (ours.has(name) || side.has(name) ? [] : [name]));
    } catch (error) {
      const reason = String(error);
      this.#deps.log.warn('it is unknown what a load waits for', { model: model.name, reason });
      return [...job.blockers];
    }
  }

  /**
   * What would not fit beside the new model goes, ours first. Nothing is touched while the fit is unknown.
   * Resolves with whether it is known to be too little still.
   */
  async #makeRoom(job: LoadJob, residents: readonly Resident[]): Promise<boolean> {
    const { fit, monitor, ours } = this.#options;
    const { model, plan } = job;
    const need = fit.neededBytes(model, plan.options.num_ctx);
    const own = findResident(residents, model);
    const others = residents.filter((resident) => resident !== own);
    let free = others.length === 0 ? null : await monitor.freeBytes();
    const { gpus } = this.#state.current();
    // Its old self goes by itself, and first.
    if (free !== null && own) free += freedBy(own, gpus);
    for (const other of oursFirst(others, ours)) {
      if (fits(need, free) !== false) return false;
      const gone = await this.#cancelForTurn(job, other.name);
      if (gone && free !== null) free += freedBy(other, gpus);
    }
    return fits(need, free) === false;
  }

  /** False when another program goes on using it. */
  async #cancelForTurn(job: LoadJob, name: string): Promise<boolean> {
    try {
      await this.#unloadFrom(job.url, name, (waitedMs) => {
        if (waitedMs >= certainPatienceMs) job.reportBlockers([name]);
        job.signal.throwIfAborted();
      });
      job.reportBlockers([]);
      return true;
    } catch (error) {
      if (!(error instanceof AndironError) || error.code !== 'busy') throw error;
      this.#deps.log.warn('a model that was to make room is in use elsewhere', { model: name });
      return false;
    }
  }
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
