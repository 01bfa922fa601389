/** Leases on the one GPU: queue, load by the plan, grant, release (design 7). Preloads wait in the same queue. */
import { AndironError, type ErrorCode } from '../../protocol/errors.ts';
import type { LeaseInfo, ModelInfo } from '../../protocol/model.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import { isConnectionLoss } from '../ask.ts';
import type { EngineDeps } from '../deps.ts';
import { inUse, type Loaded, type Loader, type LoadWish } from '../memory/loader.ts';
import type { Catalogue } from '../models/catalogue.ts';
import type { StateStore } from '../state.ts';
import { createGpuQueue } from './gpu-queue.ts';

export interface AcquireParams {
  model: string;
  contextTokens: number;
  purpose: 'turn' | 'warm';
  label: string;
}

interface Ready extends Loaded {
  model: ModelInfo;
}

export interface Granted extends Ready {
  leaseId: string;
}

export interface Regained extends Ready {
  versions: { before: string; now: string };
}

export interface Leases {
  /** Rejects `cancelled` when the signal fires: at once while it waits; a load that began goes on (design 6). */
  acquire(params: AcquireParams, owner: Connection, signal: AbortSignal): Promise<Granted>;
  /**
   * The same lease after an answer that broke off: the model is proved or loaded again, also by an Ollama that restarts.
   * Rejects `cancelled` when the signal fires or the lease has ended.
   */
  regain(leaseId: string, signal: AbortSignal): Promise<Regained>;
  /** Idempotent. After a failed request nothing that was known about the model counts any more. */
  release(leaseId: string, failed: boolean): void;
  releaseAll(owner: Connection): void;
  preload(model: string, contextTokens: number | undefined, signal: AbortSignal): Promise<void>;
  /** Refused with `busy` while a lease or a load is on the model: nothing is queued behind a turn in silence. */
  unload(model: string): Promise<void>;
  /** Nobody waits and nothing is being loaded; a lease may be held. */
  quiet(): boolean;
}

export interface LeasesOptions {
  url: (signal?: AbortSignal) => Promise<string>;
  /** Resolves when Ollama answers again. */
  comeBack: (signal: AbortSignal) => Promise<void>;
  catalogue: Catalogue;
  loader: Loader;
  /** What a load came to, for the state's `problem`. */
  onLoad: (failure: unknown) => void;
  onLeaseEnd: () => void;
  /** A request failed: what is shown of Ollama may no longer be so. */
  onDoubt: () => void;
}

/** An Ollama that ends so many times under one load is not merely being restarted. */
const mostLoadTries = 3;

interface Held {
  info: LeaseInfo;
  wish: LoadWish;
  version: string;
  owner: Connection;
  leave: () => void;
}

export function createLeases(deps: EngineDeps, state: StateStore, options: LeasesOptions): Leases {
  const { catalogue, loader } = options;
  const queue = createGpuQueue(() => state.update({ waiting: queue.waiting() }));
  let held: Held | undefined;
  /** The model that whoever is in the queue's place is loading. */
  let preparing: string | undefined;

  /** Loads, also when Ollama restarts meanwhile. Told in the state, whoever still waits for it. */
  const load = async (wish: LoadWish, signal: AbortSignal): Promise<Loaded> => {
    preparing = wish.model.name;
    try {
      const loaded = await throughRestarts(wish, signal);
      options.onLoad(null);
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

  const throughRestarts = async (wish: LoadWish, signal: AbortSignal): Promise<Loaded> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await loader.ensure(wish, signal);
      } catch (error) {
        if (!isConnectionLoss(error) || tries === mostLoadTries || signal.aborted) throw error;
        await options.comeBack(signal);
      }
    }
  };

  /** Waits for the GPU and has the model loaded. The place is kept until the load has ended, wanted or not. */
  const prepare = async (
    rank: AcquireParams['purpose'],
    wish: LoadWish,
    signal: AbortSignal,
  ): Promise<{ result: Loaded; leave: () => void }> => {
    const leave = await queue.enter(rank, signal);
    const loading = load(wish, signal);
    try {
      return { result: await unlessAborted(loading, signal), leave };
    } catch (error) {
      loading.then(leave, leave);
      throw error;
    }
  };

  const version = (): string => {
    const { status } = state.current();
    return status.kind === 'running' ? status.version : '';
  };

  const end = (lease: Held): void => {
    if (held !== lease) return;
    held = undefined;
    state.update({ lease: null });
    lease.leave();
    options.onLeaseEnd();
  };

  return {
    async acquire(params, owner, signal) {
      await options.url(signal);
      const model = await catalogue.find(params.model);
      const wish = { model, contextTokens: params.contextTokens, grow: false };
      const { result, leave } = await prepare(params.purpose, wish, signal);
      if (signal.aborted) {
        leave();
        throw new AndironError('cancelled', 'Cancelled as it was granted.');
      }
      const { purpose, label } = params;
      const info = { id: deps.newId('lease_'), model: model.name, purpose, label, since: deps.clock.now() };
      held = { info, wish, version: version(), owner, leave };
      state.update({ lease: info });
      return { leaseId: info.id, model, ...result };
    },
    async regain(leaseId, signal) {
      const lease = held;
      if (lease?.info.id !== leaseId)
        throw new AndironError('cancelled', 'This right to the GPU has ended.', 'Send again.');
      await options.comeBack(signal);
      const model = await catalogue.find(lease.info.model);
      loader.forget(model.name);
      const result = await unlessAborted(load({ ...lease.wish, model }, signal), signal);
      const before = lease.version;
      lease.version = version();
      return { model, ...result, versions: { before, now: lease.version } };
    },
    release(leaseId, failed) {
      if (held?.info.id !== leaseId) return;
      if (failed) {
        loader.forget(held.info.model);
        options.onDoubt();
      }
      end(held);
    },
    releaseAll(owner) {
      if (held?.owner === owner) end(held);
    },
    async preload(name, contextTokens, signal) {
      await options.url(signal);
      const model = await catalogue.find(name);
      const plan = loader.planInForce(model.name);
      const wanted = Math.min(contextTokens ?? 0, model.trainedContext ?? Infinity);
      if (held?.info.model === model.name && plan && wanted <= plan.options.num_ctx) return;
      // Naming a window is asking for it: the one way to a larger one for a model that is loaded.
      const { leave } = await prepare(
        'warm',
        { model, contextTokens, grow: contextTokens !== undefined },
        signal,
      );
      leave();
    },
    async unload(name) {
      const model = await catalogue.find(name);
      const free = (): boolean => held?.info.model !== model.name && preparing !== model.name;
      if (!free()) throw inUse(model.name);
      await loader.unload(model, free);
    },
    quiet: () => preparing === undefined && queue.waiting() === 0,
  };
}

function hasCode(error: unknown, code: ErrorCode): boolean {
  return error instanceof AndironError && error.code === code;
}

/** Rejects `cancelled` as soon as the signal fires; `work` goes on. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void =>
      reject(new AndironError('cancelled', 'Cancelled while the model was loading.'));
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
