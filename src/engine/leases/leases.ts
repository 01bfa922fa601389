/** Leases on the one GPU: queue, load by the plan, grant, release (design 7). Preloads wait in the same queue. */
import { AndironError } from '../../protocol/errors.ts';
import type { LeaseInfo, LoadPlan, ModelInfo } from '../../protocol/model.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
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

export interface Granted {
  leaseId: string;
  url: string;
  plan: LoadPlan;
  model: ModelInfo;
  loaded: boolean;
}

export interface Leases {
  /** Rejects `cancelled` when the signal fires: at once while it waits; a load that began goes on (design 6). */
  acquire(params: AcquireParams, owner: Connection, signal: AbortSignal): Promise<Granted>;
  /** Idempotent. */
  release(leaseId: string): void;
  releaseAll(owner: Connection): void;
  preload(model: string, contextTokens: number | undefined, signal: AbortSignal): Promise<void>;
  /** Refused with `busy` while a lease or a load is on the model: nothing is queued behind a turn in silence. */
  unload(model: string): Promise<void>;
  /** Nobody waits and nothing is being loaded; a lease may be held. */
  quiet(): boolean;
}

export interface LeasesOptions {
  url: (signal?: AbortSignal) => Promise<string>;
  catalogue: Catalogue;
  loader: Loader;
  /** What a load came to, for the state's `problem`. */
  onLoad: (failure: unknown) => void;
  onLeaseEnd: () => void;
}

interface Held {
  info: LeaseInfo;
  owner: Connection;
  leave: () => void;
}

export function createLeases(deps: EngineDeps, state: StateStore, options: LeasesOptions): Leases {
  const { catalogue, loader } = options;
  const queue = createGpuQueue(() => state.update({ waiting: queue.waiting() }));
  let held: Held | undefined;
  /** The model that whoever is in the queue's place is loading. */
  let preparing: string | undefined;

  /** Waits for the GPU and has the model loaded. The place is kept until the load has ended, wanted or not. */
  const prepare = async (
    rank: AcquireParams['purpose'],
    wish: LoadWish,
    signal: AbortSignal,
  ): Promise<{ result: Loaded; leave: () => void }> => {
    const leave = await queue.enter(rank, signal);
    preparing = wish.model.name;
    const load = loader.ensure(wish).finally(() => (preparing = undefined));
    load.then(
      () => options.onLoad(null),
      (error: unknown) => options.onLoad(error),
    );
    try {
      return { result: await unlessAborted(load, signal), leave };
    } catch (error) {
      load.then(leave, leave);
      throw error;
    }
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
      const url = await options.url(signal);
      const model = await catalogue.find(params.model);
      const wish = { model, contextTokens: params.contextTokens, grow: false };
      const { result, leave } = await prepare(params.purpose, wish, signal);
      if (signal.aborted) {
        leave();
        throw new AndironError('cancelled', 'Cancelled as it was granted.');
      }
      const { purpose, label } = params;
      const info = { id: deps.newId('lease_'), model: model.name, purpose, label, since: deps.clock.now() };
      held = { info, owner, leave };
      state.update({ lease: info });
      return { leaseId: info.id, url, model, ...result };
    },
    release(leaseId) {
      if (held?.info.id === leaseId) end(held);
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
