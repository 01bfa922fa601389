import type { Clock } from '../clock.ts';
import { allowsParallel, type SimModel } from '../models.ts';
import type { Runner } from '../runner/runner.ts';
import type { Truth, TruthLoad } from '../truth/truth.ts';
import { refuse, type Refusal } from '../wire/outcome.ts';
import { reloadCause, type Launch } from './launch.ts';
import { LoadedModel, runnerKey } from './loaded-model.ts';
import { fitsBesideOthers, footprint, predictedNeed, type Gpu } from './gpu-memory.ts';

export interface SchedulerLimits {
  /** OLLAMA_NUM_PARALLEL */
  parallel: number;
  /** OLLAMA_MAX_LOADED_MODELS; 0 = Ollama's automatic three. */
  maxLoaded: number;
  /** OLLAMA_MAX_QUEUE */
  maxQueue: number;
  /** OLLAMA_KEEP_ALIVE */
  keepAliveMs: number;
}

/** How a load ends that does not succeed. */
export type LoadFailure = { kind: 'exit'; text: string } | { kind: 'killed' } | { kind: 'out-of-memory' };

export interface SchedulerDeps {
  clock: Clock;
  truth: Truth;
  limits: SchedulerLimits;
  /** Undefined = no GPU. */
  gpu: Gpu | undefined;
  /** Divides the time that Ollama takes to look at a loading child and at the memory of a gone one. */
  speed: number;
  /** How long the next load of a model takes, and how it fails if it does. */
  loadPlan(model: SimModel): { ms: number; failure: LoadFailure | undefined; offload: number | undefined };
  startRunner(model: SimModel, launch: Launch, parallel: number): Promise<Runner>;
}

export interface LoadRequest {
  model: SimModel;
  launch: Launch;
  keepAliveMs: number | undefined;
  signal: AbortSignal;
}

/** The right to use a loaded model; every lease must be released. */
export interface Lease {
  loaded: LoadedModel;
  release(): void;
}

interface Pending {
  request: LoadRequest;
  resolve: (result: Lease | Refusal) => void;
}

const AUTOMATIC_MAX_LOADED = 3;
/** The loading child is looked at this often, so a client that left is noticed that late. */
const LOAD_POLL_MS = 250;
/** Watching the memory come back after an unload: alone, and beside other models (docs/engine.md, Loading and unloading). */
const SETTLE_ALONE_MS = 300;
const SETTLE_BESIDE_OTHERS_MS = 5000;

const BUSY = 'server busy, please try again.  maximum pending requests exceeded';
const STARTUP_CONTEXTS = [32_768, 4096];

/**
 * Ollama's scheduler: one load or eviction at a time in order of arrival; requests for a model that is loaded and fits
 * pass by. Releases, expiries and unloads are settled one after another, which is why timers stand still while the
 * memory of an unloaded model is being watched.
 */
export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #loaded = new Map<string, LoadedModel>();
  readonly #queue: Pending[] = [];
  #scheduling = false;
  #housekeeping: Promise<void> = Promise.resolve();
  #waitingForUnload: (() => void)[] = [];
  readonly #closing = new AbortController();
  /** Bytes that the load in progress has taken so far. */
  #loading: (() => number) | undefined;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** Runners as `/api/ps` lists them: loaded ones only, never one that is still loading. */
  get loaded(): readonly LoadedModel[] {
    return [...this.#loaded.values()];
  }

  /** Bytes of graphics memory that runners hold; a loading one takes its share little by little. */
  get vramInUse(): number {
    return this.#vramOfLoaded() + (this.#loading?.() ?? 0);
  }

  /** Resolves with a lease, an error of Ollama's, or never-sent 499 when the client left while waiting. */
  acquire(request: LoadRequest): Promise<Lease | Refusal> {
    const present = this.#loaded.get(runnerKey(request.model));
    if (present !== undefined && this.#reloadCause(present, request) === undefined) {
      return Promise.resolve(this.#use(present, request));
    }
    if (this.#queue.length >= this.#deps.limits.maxQueue) return Promise.resolve(refuse(503, BUSY));
    return new Promise((resolve) => {
      this.#queue.push({ request, resolve });
      request.signal.addEventListener('abort', () => resolve(refuse(499, 'request canceled')), {
        once: true,
      });
      void this.#schedule();
    });
  }

  /** `keep_alive: 0` without a prompt: the model goes once idle. A model that is loading is not affected. */
  expire(model: SimModel): void {
    const present = this.#loaded.get(runnerKey(model));
    if (present === undefined) return;
    present.expiresAtMs = this.#deps.clock.now();
    this.#letGo(present, 'asked for by keep_alive 0');
  }

  /** An out-of-memory text of a runner marks every model for unloading. */
  expireAll(cause: string): void {
    for (const present of this.loaded) this.#letGo(present, cause);
  }

  /** Kills all runners and answers everyone who waits. */
  close(): void {
    this.#closing.abort();
    for (const { resolve } of this.#queue.splice(0)) resolve(refuse(500, 'server is shutting down'));
    for (const present of this.loaded) {
      present.stopTimer();
      present.runner.kill();
    }
    this.#loaded.clear();
    for (const wake of this.#waitingForUnload.splice(0)) wake();
  }

  #reloadCause(present: LoadedModel, request: LoadRequest): string | undefined {
    if (!present.runner.alive) return 'the runner had died';
    return reloadCause(present.launch, request.launch);
  }

  #use(present: LoadedModel, request: LoadRequest): Lease {
    present.users += 1;
    present.stopTimer();
    if (request.keepAliveMs !== undefined) present.keepAliveMs = request.keepAliveMs;
    let released = false;
    return {
      loaded: present,
      release: () => {
        if (released) return;
        released = true;
        this.#afterHousekeeping(() => this.#released(present));
      },
    };
  }

  async #schedule(): Promise<void> {
    if (this.#scheduling) return;
    this.#scheduling = true;
    for (
      let next = this.#queue.shift();
      next !== undefined && !this.#closing.signal.aborted;
      next = this.#queue.shift()
    ) {
      const result = await this.#place(next.request);
      next.resolve(result);
      // Its client left in the last moment and was answered already.
      if ('loaded' in result && next.request.signal.aborted) result.release();
    }
    this.#scheduling = false;
  }

  /** Evicts until the request's model can be used or loaded. A client that left stops it, not its eviction. */
  async #place(request: LoadRequest): Promise<Lease | Refusal> {
    let cause = 'not loaded';
    while (!request.signal.aborted && !this.#closing.signal.aborted) {
      const present = this.#loaded.get(runnerKey(request.model));
      const reload = present && this.#reloadCause(present, request);
      if (present !== undefined && reload === undefined) return this.#use(present, request);
      const victim = present ?? this.#victimFor(request);
      if (victim === undefined) return this.#load(request, cause);
      if (reload !== undefined) cause = reload;
      const gone = this.#nextUnload();
      this.#letGo(victim, reload ?? `made room for ${request.model.name}`);
      await gone;
    }
    return refuse(499, 'request canceled');
  }

  /** The runner that has to go first: the shortest keep-alive, then by name of file; idle before busy. */
  #victimFor({ model, launch }: LoadRequest): LoadedModel | undefined {
    if (this.#loaded.size === 0) return undefined;
    const limit = this.#deps.limits.maxLoaded === 0 ? AUTOMATIC_MAX_LOADED : this.#deps.limits.maxLoaded;
    const need = predictedNeed(model, launch, this.#parallelOf(model));
    // What is to run on the processor is not weighed against anything.
    const onProcessor = this.#deps.gpu === undefined || launch.numGpu === 0;
    const fits = onProcessor || fitsBesideOthers(need, this.#freeVram());
    if (this.#loaded.size < limit && fits) return undefined;
    const candidates = this.loaded.toSorted(
      (a, b) => a.keepAliveMs - b.keepAliveMs || (a.model.blob < b.model.blob ? -1 : 1),
    );
    return candidates.find((candidate) => candidate.users === 0) ?? candidates[0];
  }

  async #load(request: LoadRequest, cause: string): Promise<Lease | Refusal> {
    const first = await this.#tryLoad(request, cause);
    if (!('outOfMemory' in first)) return first;
    const smaller = STARTUP_CONTEXTS.find((numCtx) => numCtx < request.launch.numCtx);
    if (request.launch.numCtxIsAutomatic && smaller !== undefined) {
      const launch = { ...request.launch, numCtx: smaller };
      return withoutMark(await this.#tryLoad({ ...request, launch }, `${cause}, again with less context`));
    }
    if (this.#loaded.size === 0) return first;
    while (this.#loaded.size > 0 && !this.#closing.signal.aborted) {
      const gone = this.#nextUnload();
      this.expireAll('a load ran out of memory');
      await gone;
    }
    return withoutMark(await this.#tryLoad(request, `${cause}, again with all memory`));
  }

  async #tryLoad(request: LoadRequest, cause: string): Promise<Lease | (Refusal & { outOfMemory?: true })> {
    const { clock, truth } = this.#deps;
    const { model, launch, signal } = request;
    const plan = this.#deps.loadPlan(model);
    const record: TruthLoad = {
      model: model.name,
      numCtx: launch.numCtx,
      cause,
      startedAt: clock.now(),
      outcome: 'loading',
    };
    truth.loads.push(record);
    truth.emit('load-started', { model: model.name, detail: cause });

    const parallel = this.#parallelOf(model);
    const offload = this.#deps.gpu === undefined ? 0 : plan.offload;
    const size = footprint(model, launch, { parallel, freeBytes: this.#freeVram(), offload });
    this.#loading = () => size.vram * Math.min(1, (clock.now() - record.startedAt) / plan.ms);
    await clock.sleep(plan.ms, signal);
    if (signal.aborted) await this.#untilNextPoll(record.startedAt);
    this.#loading = undefined;
    const end = (outcome: TruthLoad['outcome']) => {
      record.outcome = outcome;
      record.finishedAt = clock.now();
    };
    if (signal.aborted || this.#closing.signal.aborted) {
      end('aborted');
      truth.emit('load-aborted', { model: model.name });
      return refuse(499, 'request canceled');
    }
    if (plan.failure !== undefined) {
      end('failed');
      truth.emit('load-failed', { model: model.name, detail: plan.failure.kind });
      return loadError(plan.failure);
    }
    const present = new LoadedModel({
      model,
      launch,
      parallel,
      footprint: size,
      runner: await this.#deps.startRunner(model, launch, parallel),
      keepAliveMs: request.keepAliveMs ?? this.#deps.limits.keepAliveMs,
    });
    this.#loaded.set(runnerKey(model), present);
    end('loaded');
    truth.emit('load-finished', { model: model.name });
    return this.#use(present, request);
  }

  async #untilNextPoll(startedAt: number): Promise<void> {
    const poll = LOAD_POLL_MS / this.#deps.speed;
    const elapsed = this.#deps.clock.now() - startedAt;
    await this.#deps.clock.sleep(poll - (elapsed % poll));
  }

  #parallelOf(model: SimModel): number {
    return allowsParallel(model) ? this.#deps.limits.parallel : 1;
  }

  #vramOfLoaded(): number {
    return this.loaded.reduce((sum, { footprint: { vram } }) => sum + vram, 0);
  }

  #freeVram(): number {
    const { gpu } = this.#deps;
    return gpu === undefined ? 0 : Math.max(0, gpu.totalBytes - gpu.otherBytes - this.#vramOfLoaded());
  }

  async #released(present: LoadedModel): Promise<void> {
    present.users -= 1;
    if (present.users > 0 || this.#loaded.get(runnerKey(present.model)) !== present) return;
    if (present.keepAliveMs <= 0) return this.#unload(present);
    const { clock } = this.#deps;
    present.expiresAtMs = clock.now() + present.keepAliveMs;
    present.stopTimer();
    present.cancelExpiry = clock.after(present.keepAliveMs, () => {
      present.unloadCause = 'keep_alive ran out';
      this.#afterHousekeeping(() => this.#unloadIfIdle(present));
    });
  }

  #letGo(present: LoadedModel, cause: string): void {
    present.stopTimer();
    present.keepAliveMs = 0;
    present.unloadCause = cause;
    this.#afterHousekeeping(() => this.#unloadIfIdle(present));
  }

  async #unloadIfIdle(present: LoadedModel): Promise<void> {
    const stillThere = this.#loaded.get(runnerKey(present.model)) === present;
    if (stillThere && present.users === 0) await this.#unload(present);
  }

  /** The model is gone at once; whoever waits for its memory is told when that has settled. */
  async #unload(present: LoadedModel): Promise<void> {
    const { clock, truth } = this.#deps;
    this.#loaded.delete(runnerKey(present.model));
    present.stopTimer();
    present.runner.kill();
    truth.unloads.push({ model: present.model.name, cause: present.unloadCause, at: clock.now() });
    truth.emit('unloaded', { model: present.model.name, detail: present.unloadCause });
    if (present.footprint.vram > 0) {
      const settleMs = this.#loaded.size > 0 ? SETTLE_BESIDE_OTHERS_MS : SETTLE_ALONE_MS;
      await clock.sleep(settleMs / this.#deps.speed, this.#closing.signal);
    }
    for (const wake of this.#waitingForUnload.splice(0)) wake();
  }

  #nextUnload(): Promise<void> {
    return new Promise((resolve) => this.#waitingForUnload.push(resolve));
  }

  /** Runs now when nothing is being settled, else afterwards. */
  #afterHousekeeping(step: () => Promise<void>): void {
    this.#housekeeping = this.#housekeeping.then(step);
  }
}

function loadError(failure: LoadFailure): Refusal & { outOfMemory?: true } {
  const terminated = 'llama-server process has terminated: ';
  switch (failure.kind) {
    case 'killed':
      return refuse(500, `${terminated}signal: killed`);
    case 'exit':
      return refuse(500, `${terminated}exit status 1${failure.text === '' ? '' : `: ${failure.text}`}`);
    case 'out-of-memory':
      return {
        ...refuse(500, `${terminated}exit status 1: cudaMalloc failed: out of memory`),
        outOfMemory: true,
      };
  }
}

function withoutMark(result: Lease | (Refusal & { outOfMemory?: true })): Lease | Refusal {
  if ('loaded' in result) return result;
  return refuse(result.status, result.error);
}
