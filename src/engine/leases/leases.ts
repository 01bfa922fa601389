/** Leases on the one GPU: queue, load by the plan, grant, release. Preloads wait in the same queue. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { LeaseInfo, Lent, ModelInfo, WaitingLease } from '../../protocol/model.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import { isConnectionLoss } from '../base/ask.ts';
import type { EngineDeps } from '../base/engine-deps.ts';
import { inUse, type Loaded, type Loader } from '../memory/loader.ts';
import type { LoadWish } from '../memory/planner.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { StateStore } from '../base/state.ts';
import { createGpuQueue } from './gpu-queue.ts';

interface AcquireParams {
  model: string;
  contextTokens: number;
  purpose: 'turn' | 'warm';
  label: string;
}

interface Ready extends Loaded {
  model: ModelInfo;
}

interface Granted extends Ready {
  leaseId: string;
}

interface Reacquired extends Ready {
  versions: { before: string; now: string };
}

export interface Leases {
  /** Rejects `cancelled` when the signal fires: at once while it waits; a load that began goes on. */
  acquire(params: AcquireParams, owner: Connection, signal: AbortSignal): Promise<Granted>;
  /**
   * The same lease after an answer that broke off: the model is proved or loaded again, also by an Ollama that restarts.
   * Rejects `cancelled` when the signal fires or the lease has ended.
   */
  reacquire(leaseId: string, signal: AbortSignal): Promise<Reacquired>;
  /**
   * Resolves with the turn that waits behind this warm-up, at once when there is one: who only warms up gives way.
   * Rejects `cancelled` when the signal fires or the lease has ended.
   */
  wanted(leaseId: string, signal: AbortSignal): Promise<WaitingLease>;
  /** The same lease with the model unloaded and loaded anew: its slot is lost. Rejects as `reacquire` does. */
  recoverSlot(leaseId: string, signal: AbortSignal): Promise<{ tookMs: number }>;
  /** Idempotent. After a failed request nothing that was known about the model counts any more. */
  release(leaseId: string, failed: boolean): void;
  releaseAll(owner: Connection): void;
  /** Refused with `lent` while the GPU is. */
  preload(model: string, contextTokens: number | undefined, signal: AbortSignal): Promise<void>;
  /** The load that runs is given up: whoever waits for it gets `cancelled`. Without one it does nothing. */
  cancelLoad(): void;
  /** With the GPU to itself, before the warm-ups that wait. Refused with `busy` while a turn runs or waits. */
  alone<T>(who: { model: string; label: string }, work: () => Promise<T>): Promise<T>;
  /** Loads what was lent away as it was, and ends the loan. */
  takeBack(lent: Lent, signal: AbortSignal): Promise<void>;
  /** Refused with `busy` while a lease or a load is on the model: nothing is queued behind a turn in silence. */
  unload(model: string): Promise<void>;
  /** Nobody waits and nothing is being loaded; a lease may be held. */
  quiet(): boolean;
}

export interface LeasesOptions {
  url: (signal?: AbortSignal) => Promise<string>;
  /** Resolves when Ollama answers again. */
  waitUntilAvailable: (signal: AbortSignal) => Promise<void>;
  catalogue: Catalogue;
  loader: Loader;
  /** What a load came to, for the state's `problem`. */
  onLoad: (failure: unknown) => void;
  onLeaseEnd: (model: string) => void;
  /** A lost slot was found and cured. */
  onCured: (model: string, tookMs: number) => void;
  /** A request failed: what is shown of Ollama may no longer be so. */
  onInvalidated: () => void;
}

/** An Ollama that ends so many times under one load is not merely being restarted. */
const maxLoadTries = 3;

interface Held {
  info: LeaseInfo;
  /** Settles when a turn waits behind a warm-up; rejects when the lease ends. */
  wanted: PromiseWithResolvers<WaitingLease>;
  wish: LoadWish;
  version: string;
  owner: Connection;
  leave: () => void;
}

export function createLeases(deps: EngineDeps, state: StateStore, options: LeasesOptions): Leases {
  const { catalogue, loader } = options;
  const queue = createGpuQueue(() => {
    const waiting = [...queue.waiting()];
    state.update({ waiting: waiting.length, queue: waiting });
    reportWanted();
  });
  let held: Held | undefined;
  /** What whoever is in the queue's place is loading. */
  let preparing: { model: string; purpose: LeaseInfo['purpose']; givenUp: AbortController } | undefined;

  const reportWanted = (): void => {
    const [next] = queue.waiting();
    if (held?.info.purpose === 'warm' && next?.purpose === 'turn') held.wanted.resolve(next);
  };

  /** Loads, also when Ollama restarts meanwhile. Told in the state, whoever still waits for it. */
  const load = async (
    wish: LoadWish,
    purpose: LeaseInfo['purpose'],
    signal: AbortSignal,
  ): Promise<Loaded> => {
    const givenUp = new AbortController();
    preparing = { model: wish.model.name, purpose, givenUp };
    try {
      const loaded = await throughRestarts(wish, signal, givenUp.signal);
      options.onLoad(null);
      // Also where nobody waits for it any more: it is in memory again.
      state.update({ lent: null });
      return loaded;
    } catch (error) {
      // Somebody has removed it: the list is older than the library.
      if (hasCode(error, 'model_missing')) await catalogue.read();
      options.onLoad(hasCode(error, 'cancelled') ? null : error);
      throw error;
    } finally {
      preparing = undefined;
    }
  };

  const throughRestarts = async (
    wish: LoadWish,
    signal: AbortSignal,
    givenUp: AbortSignal,
  ): Promise<Loaded> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await loader.ensure(wish, signal, givenUp);
      } catch (error) {
        if (!isConnectionLoss(error) || tries === maxLoadTries || signal.aborted) throw error;
        await unlessAborted(options.waitUntilAvailable(AbortSignal.any([signal, givenUp])), givenUp);
      }
    }
  };

  /**
   * Waits for the GPU and has the model loaded. What is lent comes back only when a person asks for work: nothing of
   * ours loads by itself meanwhile. The place is kept until the load has ended, wanted or not.
   */
  const prepare = async (
    who: Pick<WaitingLease, 'purpose' | 'label'>,
    wish: LoadWish,
    signal: AbortSignal,
  ): Promise<{ result: Loaded; leave: () => void }> => {
    const leave = await queue.enter(waiter(who, wish.model.name), signal);
    if (who.purpose === 'warm' && state.current().lent) {
      leave();
      throw gpuReleasedError();
    }
    const loading = load(resolveReleasedRequest(wish), who.purpose, signal);
    try {
      return { result: await unlessAborted(loading, signal), leave };
    } catch (error) {
      loading.then(leave, leave);
      throw error;
    }
  };

  const waiter = (who: Pick<WaitingLease, 'purpose' | 'label'>, model: string): WaitingLease => ({
    id: deps.newId('waiting_'),
    model,
    purpose: who.purpose,
    label: who.label,
    since: deps.clock.now(),
  });

  /** A turn on the model that was lent away gets it back as it was. */
  const resolveReleasedRequest = (wish: LoadWish): LoadWish => {
    const { lent } = state.current();
    return lent?.model === wish.model.name ? { ...wish, contextTokens: lent.contextTokens } : wish;
  };

  const turnRuns = (): boolean =>
    [held?.info, preparing, ...queue.waiting()].some((each) => each?.purpose === 'turn');

  const version = (): string => {
    const { status } = state.current();
    return status.kind === 'running' ? status.version : '';
  };

  const end = (lease: Held): void => {
    if (held !== lease) return;
    held = undefined;
    state.update({ lease: null });
    lease.wanted.reject(new AndironError('cancelled', 'This right to the GPU has ended.'));
    options.onLeaseEnd(lease.info.model);
    lease.leave();
  };

  return {
    async acquire(params, owner, signal) {
      const { purpose, label } = params;
      if (purpose === 'warm' && state.current().lent) throw gpuReleasedError();
      await options.url(signal);
      const model = await catalogue.find(params.model);
      const wish = { model, contextTokens: params.contextTokens, grow: false };
      const { result, leave } = await prepare({ purpose, label }, wish, signal);
      if (signal.aborted) {
        leave();
        throw new AndironError('cancelled', 'Cancelled as it was granted.');
      }
      const info = { id: deps.newId('lease_'), model: model.name, purpose, label, since: deps.clock.now() };
      const wanted = Promise.withResolvers<WaitingLease>();
      // Nobody need have asked.
      wanted.promise.catch(() => undefined);
      held = { info, wish, version: version(), owner, leave, wanted };
      state.update({ lease: info });
      reportWanted();
      return { leaseId: info.id, model, ...result };
    },
    async wanted(leaseId, signal) {
      if (held?.info.id !== leaseId) throw new AndironError('cancelled', 'This right to the GPU has ended.');
      return unlessAborted(held.wanted.promise, signal);
    },
    async reacquire(leaseId, signal) {
      const lease = held;
      if (lease?.info.id !== leaseId)
        throw new AndironError('cancelled', 'This right to the GPU has ended.', 'Send again.');
      await options.waitUntilAvailable(signal);
      const model = await catalogue.find(lease.info.model);
      loader.forget(model.name);
      const result = await unlessAborted(load({ ...lease.wish, model }, lease.info.purpose, signal), signal);
      const before = lease.version;
      lease.version = version();
      return { model, ...result, versions: { before, now: lease.version } };
    },
    async recoverSlot(leaseId, signal) {
      const lease = held;
      if (lease?.info.id !== leaseId)
        throw new AndironError('cancelled', 'This right to the GPU has ended.', 'Send again.');
      const began = deps.clock.monotonic();
      const model = await catalogue.find(lease.info.model);
      await unlessAborted(
        loader.unload(model, () => held === lease),
        signal,
      );
      await unlessAborted(load({ ...lease.wish, model }, lease.info.purpose, signal), signal);
      const tookMs = deps.clock.monotonic() - began;
      options.onCured(model.name, tookMs);
      return { tookMs };
    },
    release(leaseId, failed) {
      if (held?.info.id !== leaseId) return;
      if (failed) {
        loader.forget(held.info.model);
        options.onInvalidated();
      }
      end(held);
    },
    releaseAll(owner) {
      if (held?.owner === owner) end(held);
    },
    async preload(name, contextTokens, signal) {
      if (state.current().lent) throw gpuReleasedError();
      await options.url(signal);
      const model = await catalogue.find(name);
      const plan = loader.planInForce(model.name);
      const wanted = Math.min(contextTokens ?? 0, model.trainedContext ?? Infinity);
      if (held?.info.model === model.name && plan && wanted <= plan.options.num_ctx) return;
      // Naming a window is asking for it: the one way to a larger one for a model that is loaded.
      const wish = { model, contextTokens, grow: contextTokens !== undefined };
      const { leave } = await prepare({ purpose: 'warm', label: `Load ${model.name}` }, wish, signal);
      leave();
    },
    cancelLoad() {
      if (!preparing) return;
      const { model, givenUp } = preparing;
      const reason = new AndironError(
        'cancelled',
        `The load of ${model} was given up.`,
        'Send again, or load the model, when it is wanted.',
      );
      queue.dismiss((who) => who.model === model, reason);
      givenUp.abort(reason);
    },
    async alone({ model, label }, work) {
      if (turnRuns()) throw inUse(model);
      const leave = await queue.enter(waiter({ purpose: 'turn', label }, model));
      try {
        return await work();
      } finally {
        leave();
      }
    },
    async takeBack(lent, signal) {
      await options.url(signal);
      const model = await catalogue.find(lent.model);
      const wish = { model, contextTokens: lent.contextTokens, grow: true };
      const { leave } = await prepare({ purpose: 'turn', label: `Take back ${model.name}` }, wish, signal);
      leave();
    },
    async unload(name) {
      const model = await catalogue.find(name);
      const free = (): boolean => held?.info.model !== model.name && preparing?.model !== model.name;
      if (!free()) throw inUse(model.name);
      await loader.unload(model, free);
    },
    quiet: () => preparing === undefined && queue.waiting().length === 0,
  };
}

function gpuReleasedError(): AndironError {
  return new AndironError(
    'lent',
    'The GPU is lent: Andiron loads nothing by itself.',
    'Take it back, or send a message, when the other program is done.',
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
