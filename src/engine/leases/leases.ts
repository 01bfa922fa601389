/** Leases on the one GPU: queue, load by the plan, grant, release. Preloads wait in the same queue. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { LeaseInfo, Lent, ModelInfo, WaitingLease } from '../../protocol/model.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import { isConnectionLoss } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import type { Facts } from '../base/engine-facts.ts';
import type { StateStore } from '../base/state.ts';
import { inUse, type Loaded, type Loader } from '../memory/loader.ts';
import type { LoadWish } from '../memory/planner.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { Supervisor } from '../supervision/supervisor.ts';
import type { GpuQueue } from './gpu-queue.ts';

interface AcquireParams extends Waiter {
  model: string;
  contextTokens: number;
}

/** Who wants it, as the queue shows it. */
type Waiter = Pick<WaitingLease, 'purpose' | 'label' | 'wantedFor' | 'head' | 'ticket'>;

interface Ready extends Loaded {
  model: ModelInfo;
}

interface Granted extends Ready {
  leaseId: string;
}

interface Reacquired extends Ready {
  versions: { before: string; now: string };
}

export interface LeasesOptions {
  facts: Facts;
  supervisor: Pick<Supervisor, 'url' | 'waitUntilAvailable'>;
  catalogue: Pick<Catalogue, 'find' | 'read'>;
  loader: Pick<Loader, 'ensure' | 'unload' | 'forget' | 'planInForce'>;
  queue: GpuQueue;
}

/** An Ollama that ends so many times under one load is not merely being restarted. */
const maxLoadTries = 3;

/** A load for whoever has the place of the queue. */
interface RunningLoad {
  model: string;
  purpose: LeaseInfo['purpose'];
  abandoned: AbortController;
}

interface Held {
  info: LeaseInfo;
  /** Settles when a turn waits behind a warm-up; rejects when the lease ends. */
  preempted: PromiseWithResolvers<WaitingLease>;
  wish: LoadWish;
  version: string;
  owner: Connection;
  leave: () => void;
}

type GpuUse =
  | { kind: 'free' }
  /** Also after the lease under which the load began has ended. */
  | { kind: 'loading'; load: RunningLoad }
  /** `reload`: its model is being proved or loaded again. */
  | { kind: 'leased'; lease: Held; reload: RunningLoad | null };

export class Leases {
  readonly #deps: Pick<EngineDeps, 'clock' | 'newId'>;
  readonly #state: StateStore;
  readonly #options: LeasesOptions;
  #use: GpuUse = { kind: 'free' };

  constructor(deps: Pick<EngineDeps, 'clock' | 'newId'>, state: StateStore, options: LeasesOptions) {
    this.#deps = deps;
    this.#state = state;
    this.#options = options;
    state.onChange(({ queue }) => {
      if (queue) this.#reportPreemption();
    });
    options.facts.on('client/left', ({ connection }) => {
      const lease = this.#lease;
      if (lease?.owner === connection) this.#end(lease);
    });
  }

  /** Nobody waits and nothing is being loaded; a lease may be held. */
  readonly isIdle = (): boolean => this.#load === null && this.#options.queue.waiting().length === 0;

  /** Rejects `cancelled` when the signal fires: at once while it waits; a load that began goes on. */
  async acquire(params: AcquireParams, owner: Connection, signal: AbortSignal): Promise<Granted> {
    const { model: name, contextTokens, ...who } = params;
    const { purpose, label } = who;
    if (purpose === 'warm') this.#assertNotReleased();
    await this.#options.supervisor.url(signal);
    const model = await this.#options.catalogue.find(name);
    const wish = { model, contextTokens, grow: false };
    const { result, leave } = await this.#prepare(who, wish, signal);
    if (signal.aborted) {
      leave();
      throw new AndironError('cancelled', 'Cancelled as it was granted.');
    }
    const info = {
      id: this.#deps.newId('lease_'),
      model: model.name,
      purpose,
      label,
      since: this.#deps.clock.now(),
    };
    const preempted = Promise.withResolvers<WaitingLease>();
    // Nobody need have asked.
    preempted.promise.catch(() => undefined);
    const lease = { info, wish, version: this.#version(), owner, leave, preempted };
    this.#use = { kind: 'leased', lease, reload: null };
    this.#state.update({ lease: info });
    this.#reportPreemption();
    return { leaseId: info.id, model, ...result };
  }

  /**
   * The same lease after an answer that broke off: the model is proved or loaded again, also by an Ollama that restarts.
   * Rejects `cancelled` when the signal fires or the lease has ended.
   */
  async reacquire(leaseId: string, signal: AbortSignal): Promise<Reacquired> {
    const { supervisor, catalogue, loader } = this.#options;
    const lease = this.#leaseOf(leaseId);
    await supervisor.waitUntilAvailable(signal);
    const model = await catalogue.find(lease.info.model);
    // Its turn may have been stopped while Ollama was away: then nothing is loaded for it.
    this.#leaseOf(leaseId);
    loader.forget(model.name);
    const result = await this.#reload(lease, model, signal);
    const before = lease.version;
    lease.version = this.#version();
    return { model, ...result, versions: { before, now: lease.version } };
  }

  /**
   * Resolves with the turn that waits behind this warm-up, at once when there is one: who only warms up gives way.
   * Rejects `cancelled` when the signal fires or the lease has ended.
   */
  async waitForPreemption(leaseId: string, signal: AbortSignal): Promise<WaitingLease> {
    return unlessAborted(this.#leaseOf(leaseId).preempted.promise, signal);
  }

  /** The same lease with the model unloaded and loaded again: its slot is lost. Rejects as `reacquire` does. */
  async recoverSlot(leaseId: string, signal: AbortSignal): Promise<{ tookMs: number }> {
    const { catalogue, loader, facts } = this.#options;
    const lease = this.#leaseOf(leaseId);
    const began = this.#deps.clock.monotonic();
    const model = await catalogue.find(lease.info.model);
    const unloading = loader.unload(model, () => this.#lease === lease);
    await unlessAborted(unloading, signal);
    this.#leaseOf(leaseId);
    await this.#reload(lease, model, signal);
    const tookMs = this.#deps.clock.monotonic() - began;
    facts.publish({ type: 'slot/recovered', model: model.name, tookMs });
    return { tookMs };
  }

  /** Idempotent. After a failed request nothing that was known about the model counts any more. */
  release(leaseId: string, failed: boolean): void {
    const lease = this.#lease;
    if (lease?.info.id !== leaseId) return;
    if (failed) {
      this.#options.loader.forget(lease.info.model);
      this.#options.facts.publish({ type: 'engine/invalidated' });
    }
    this.#end(lease);
  }

  /** Refused with `lent` while the GPU is released. */
  async preload(name: string, contextTokens: number | undefined, signal: AbortSignal): Promise<void> {
    this.#assertNotReleased();
    const { supervisor, catalogue, loader } = this.#options;
    await supervisor.url(signal);
    const model = await catalogue.find(name);
    const plan = loader.planInForce(model.name);
    const wanted = Math.min(contextTokens ?? 0, model.trainedContext ?? Infinity);
    if (this.#lease?.info.model === model.name && plan && wanted <= plan.options.num_ctx) return;
    // Naming a window is asking for it: the one way to a larger one for a model that is loaded.
    const wish = { model, contextTokens, grow: contextTokens !== undefined };
    const { leave } = await this.#prepare({ purpose: 'warm', label: `Load ${model.name}` }, wish, signal);
    leave();
  }

  /** The load that runs is given up: whoever waits for it gets `cancelled`. Without one it does nothing. */
  cancelLoad(): void {
    const load = this.#load;
    if (!load) return;
    const reason = new AndironError(
      'cancelled',
      `The load of ${load.model} was given up.`,
      'Send again, or load the model.',
    );
    this.#options.queue.dismiss(({ model }) => model === load.model, reason);
    load.abandoned.abort(reason);
  }

  /** With the GPU to itself, before the warm-ups that wait. Refused with `busy` while a turn runs or waits. */
  async runExclusive<T>(who: { model: string; label: string }, work: () => Promise<T>): Promise<T> {
    const { queue } = this.#options;
    const users = [this.#lease?.info, this.#load, ...queue.waiting()];
    if (users.some((each) => each?.purpose === 'turn')) throw inUse(who.model);
    const leave = await queue.enter(this.#waiter({ purpose: 'turn', label: who.label }, who.model));
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Loads what was unloaded for other programs as it was. */
  async reclaimGpu(released: Lent, signal: AbortSignal): Promise<void> {
    await this.#options.supervisor.url(signal);
    const model = await this.#options.catalogue.find(released.model);
    const wish = { model, contextTokens: released.contextTokens, grow: true };
    const who = { purpose: 'turn', label: `Take back ${model.name}` } as const;
    const { leave } = await this.#prepare(who, wish, signal);
    leave();
  }

  /** Refused with `busy` while a lease or a load is on the model: nothing is queued behind a turn in silence. */
  async unload(name: string): Promise<void> {
    const { catalogue, loader } = this.#options;
    const model = await catalogue.find(name);
    const isFree = (): boolean => this.#lease?.info.model !== model.name && this.#load?.model !== model.name;
    if (!isFree()) throw inUse(model.name);
    await loader.unload(model, isFree);
  }

  get #lease(): Held | null {
    return this.#use.kind === 'leased' ? this.#use.lease : null;
  }

  get #load(): RunningLoad | null {
    if (this.#use.kind === 'free') return null;
    return this.#use.kind === 'loading' ? this.#use.load : this.#use.reload;
  }

  #leaseOf(leaseId: string): Held {
    const lease = this.#lease;
    if (lease?.info.id === leaseId) return lease;
    throw new AndironError('cancelled', 'The GPU lease has expired.', 'Send again.');
  }

  #end(lease: Held): void {
    if (this.#use.kind !== 'leased' || this.#use.lease !== lease) return;
    const { reload } = this.#use;
    this.#use = reload ? { kind: 'loading', load: reload } : { kind: 'free' };
    this.#state.update({ lease: null });
    lease.preempted.reject(new AndironError('cancelled', 'The GPU lease has expired.'));
    this.#options.facts.publish({ type: 'lease/ended', model: lease.info.model, idle: this.isIdle() });
    lease.leave();
  }

  #reportPreemption(): void {
    const lease = this.#lease;
    const [next] = this.#options.queue.waiting();
    if (lease?.info.purpose === 'warm' && next?.purpose === 'turn') lease.preempted.resolve(next);
  }

  /**
   * Waits for the GPU and has the model loaded. What was released comes back only when a person asks for work: nothing
   * of ours loads by itself meanwhile. The place is kept until the load has ended, wanted or not.
   */
  async #prepare(
    who: Waiter,
    wish: LoadWish,
    signal: AbortSignal,
  ): Promise<{ result: Loaded; leave: () => void }> {
    const leave = await this.#options.queue.enter(this.#waiter(who, wish.model.name), signal);
    const { lent: released } = this.#state.current();
    if (who.purpose === 'warm' && released) {
      leave();
      throw gpuReleasedError();
    }
    // A turn on the model that was released gets it back as it was.
    const contextTokens = released?.model === wish.model.name ? released.contextTokens : wish.contextTokens;
    const loading = this.#loadNow({ ...wish, contextTokens }, who.purpose, signal);
    try {
      return { result: await unlessAborted(loading, signal), leave };
    } catch (error) {
      loading.then(leave, leave);
      throw error;
    }
  }

  #waiter(who: Waiter, model: string): WaitingLease {
    return { id: this.#deps.newId('waiting_'), model, ...who, since: this.#deps.clock.now() };
  }

  #reload(lease: Held, model: ModelInfo, signal: AbortSignal): Promise<Loaded> {
    return unlessAborted(this.#loadNow({ ...lease.wish, model }, lease.info.purpose, signal), signal);
  }

  /** Loads, also when Ollama restarts meanwhile, and publishes what came of it, whoever still waits for it. */
  async #loadNow(wish: LoadWish, purpose: LeaseInfo['purpose'], signal: AbortSignal): Promise<Loaded> {
    const { catalogue, facts } = this.#options;
    const model = wish.model.name;
    const load = { model, purpose, abandoned: new AbortController() };
    this.#use = this.#use.kind === 'leased' ? { ...this.#use, reload: load } : { kind: 'loading', load };
    try {
      const loaded = await this.#throughRestarts(wish, signal, load.abandoned.signal);
      facts.publish({ type: 'load/ended', model, failure: null });
      // Also where nobody waits for it any more: it is in memory again.
      this.#state.update({ lent: null });
      return loaded;
    } catch (error) {
      // Somebody has removed it: the list is older than the library.
      if (hasCode(error, 'model_missing')) await catalogue.read();
      facts.publish({ type: 'load/ended', model, failure: hasCode(error, 'cancelled') ? null : error });
      throw error;
    } finally {
      if (this.#load === load)
        this.#use = this.#use.kind === 'leased' ? { ...this.#use, reload: null } : { kind: 'free' };
    }
  }

  async #throughRestarts(wish: LoadWish, signal: AbortSignal, abandoned: AbortSignal): Promise<Loaded> {
    const { loader, supervisor } = this.#options;
    for (let tries = 1; ; tries += 1) {
      try {
        return await loader.ensure(wish, signal, abandoned);
      } catch (error) {
        if (!isConnectionLoss(error) || tries === maxLoadTries || signal.aborted) throw error;
        const available = supervisor.waitUntilAvailable(AbortSignal.any([signal, abandoned]));
        await unlessAborted(available, abandoned);
      }
    }
  }

  #version(): string {
    const { status } = this.#state.current();
    return status.kind === 'running' ? status.version : '';
  }

  #assertNotReleased(): void {
    if (this.#state.current().lent) throw gpuReleasedError();
  }
}

function gpuReleasedError(): AndironError {
  return new AndironError(
    'lent',
    'The GPU is free for other programs, so Andiron loads nothing.',
    'Take the GPU back, or send a message.',
  );
}

function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof AndironError && error.code === code;
}

/** Rejects `cancelled` as soon as the signal fires, which is that of one call and goes with it; `work` goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(
        signal.reason instanceof AndironError
          ? signal.reason
          : new AndironError('cancelled', 'Cancelled while the model was loading.'),
      );
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject);
  });
}
