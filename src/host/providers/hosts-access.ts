/** The engine together with the hosts of `hosts.json`, as the loop sees them: one choice of models, one kind of lease. */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { ModelInfo, Profile } from '../../protocol/model.ts';
import { contextWindow } from '../../rules/context-window.ts';
import type { EngineAccess, Lease } from '../loop/deps.ts';
import { askContext, inTime, listHostModels, type HostModel } from './host-models.ts';
import type { HostAccess, HostConfig } from './host-kind.ts';
import type { HostsNow } from './current-hosts.ts';
import type { HostProvidersDeps } from './hosts.ts';
import { engineHost, splitModelName } from '../../rules/model-names.ts';
import type { ModelCandidate } from './provider.ts';

/** After an answer that broke off a host is looked for this often, and this long. */
const lookEveryMs = 2_000;
const lookForMs = 60_000;

interface HostsAccessDeps extends Pick<HostProvidersDeps, 'keys' | 'clock'> {
  hosts: HostsNow;
  /** Called with the id of a host that was waited for and answers. */
  onAvailable?: (id: string) => void;
}

/**
 * Models of hosts are named `host-id/model`; every other name is the engine's. On a host nothing is loaded and nothing is
 * released: it is not Andiron's.
 */
export function withHosts(
  engine: EngineAccess,
  { hosts, keys, clock, onAvailable }: HostsAccessDeps,
): EngineAccess {
  const ownerOf = (name: string): { host: HostConfig | undefined; model: string } => {
    const { host, model } = splitModelName(name, hosts.ids);
    return { host: hosts.find(host), model };
  };

  const accessTo = (host: HostConfig): HostAccess => ({ clock, readKey: () => keys.keyOf(host) });

  const list = (host: HostConfig, signal: AbortSignal): Promise<HostModel[]> =>
    inTime(host, clock, signal, (late) => listHostModels(host, accessTo(host), late));

  /** A host that does not say how much its model holds is no reason to leave it aside. */
  const contextOf = async (host: HostConfig, model: string, signal: AbortSignal): Promise<number | null> => {
    try {
      return await inTime(host, clock, signal, (late) => askContext(host, accessTo(host), model, late));
    } catch {
      signal.throwIfAborted();
      return null;
    }
  };

  const find = async (host: HostConfig, model: string, signal: AbortSignal): Promise<HostModel> => {
    const models = await list(host, signal);
    const found = models.find((each) => each.model === model);
    if (!found) throw missing(host, model, models);
    return { ...found, contextTokens: found.contextTokens ?? (await contextOf(host, model, signal)) };
  };

  const waitUntilAvailable = async (host: HostConfig, signal: AbortSignal): Promise<void> => {
    const until = clock.monotonic() + lookForMs;
    for (;;) {
      try {
        await list(host, signal);
        onAvailable?.(host.id);
        return;
      } catch (error) {
        if (signal.aborted || !isAway(error) || clock.monotonic() >= until) throw error;
        await pause(clock, lookEveryMs, signal);
      }
    }
  };

  const leaseOn = (host: HostConfig, model: ModelInfo, window: number): Lease => {
    const lease: Lease = {
      url: host.url,
      plan: { model: model.name, options: { num_ctx: window }, shift: false },
      model,
      async reacquire(onWait, signal) {
        onWait('lease');
        await waitUntilAvailable(host, signal);
        return { lease, loaded: false, versions: { before: '', now: '' } };
      },
      recoverSlot: () => Promise.reject(silentHost(model.name, host.id)),
      release: () => undefined,
    };
    return lease;
  };

  /** The engine's own where the name is one of its, whatever else is installed. */
  const choose = async (name: string, profile: Profile, signal: AbortSignal): Promise<ModelInfo> => {
    const { host, model } = ownerOf(name);
    return host ? toModelInfo(await find(host, model, signal)) : engine.chooseModel(profile, name, signal);
  };

  return {
    async chooseModel(profile, pinned, signal) {
      if (pinned !== null) return choose(pinned, profile, signal);
      const last = profile.models.findLastIndex((name) => ownerOf(name).host !== undefined);
      for (const name of profile.models.slice(0, last + 1)) {
        try {
          return await choose(name, profile, signal);
        } catch (error) {
          if (signal.aborted || !isAway(error)) throw error;
        }
      }
      return engine.chooseModel({ ...profile, models: profile.models.slice(last + 1) }, null, signal);
    },

    async acquire(request, onWait, signal) {
      const { host, model } = ownerOf(request.model);
      if (!host) return engine.acquire(request, onWait, signal);
      const found = await find(host, model, signal);
      const wish = { tokens: request.contextTokens, trained: found.contextTokens };
      return leaseOn(host, toModelInfo(found), contextWindow(wish).tokens);
    },

    // What a host keeps in its memory it does not tell.
    residency: async (model) => (ownerOf(model).host ? null : engine.residency(model)),
    slots: async (model) => (ownerOf(model).host ? null : engine.slots(model)),
  };
}

/**
 * Who may answer a request for this model: itself, then the hosts' models that the profile names after it. Models of
 * the engine are not among those: they need a lease of their own.
 */
export function candidatesFor(
  model: string,
  listed: readonly string[],
  hostIds: ReadonlySet<string>,
): ModelCandidate[] {
  const others = listed
    .slice(listed.indexOf(model) + 1)
    .map((name) => splitModelName(name, hostIds))
    .filter(({ host }) => host !== engineHost);
  return [splitModelName(model, hostIds), ...others];
}

/** What is not known of it is left open. Whatever is learnt of it is kept under its name: there is no digest. */
function toModelInfo({ name, contextTokens }: HostModel): ModelInfo {
  return {
    name,
    sizeBytes: 0,
    digest: name,
    family: '',
    parameterSize: '',
    quantization: '',
    capabilities: null,
    trainedContext: contextTokens,
    thinkingValues: null,
    modifiedAt: '',
  };
}

/** Somebody else may be asked: this one is not there. */
function isAway(error: unknown): boolean {
  return (
    error instanceof AndironError &&
    ['engine_unavailable', 'model_missing', 'stream_cut'].includes(error.code)
  );
}

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      timer.cancel();
      reject(signal.reason as Error);
    };
    const timer = clock.after(ms, () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    signal.addEventListener('abort', stop, { once: true });
    if (signal.aborted) stop();
  });
}

function missing({ name }: HostConfig, model: string, models: readonly HostModel[]): AndironError {
  const most = 10;
  const names = models.slice(0, most).map((each) => each.model);
  const more = models.length > most ? ' …' : '';
  return new AndironError(
    'model_missing',
    `${name} has no model ${model}.`,
    names.length === 0 ? 'Load one on that host.' : `Choose one of those it has: ${names.join(', ')}${more}`,
  );
}

function silentHost(model: string, host: string): AndironError {
  return new AndironError(
    'slot_lost',
    `${model} has not answered since an answer was stopped.`,
    `Restart the server of ${host}, then send again.`,
  );
}
