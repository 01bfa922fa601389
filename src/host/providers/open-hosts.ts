/** The engine's Ollama and the model servers that `hosts.json` names, as one provider and one way to a model. */
import type { Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { isOverTls } from '../../platform/system-certificates.ts';
import type { EngineState } from '../../protocol/model.ts';
import type { HostConfig } from './host-kind.ts';
import { createHostKeys, type HostKeysDeps } from './host-keys.ts';
import { openHostList } from './current-hosts.ts';
import { createHostProviders, type HostProvidersDeps } from './hosts.ts';
import { createListedHosts, type ListedHosts } from './listed-hosts.ts';
import { splitModelName } from '../../rules/model-names.ts';
import type { EngineAccess } from '../loop/deps.ts';
import { candidatesFor, withHosts } from './hosts-access.ts';
import { createMeter } from './meter.ts';
import type { CountRequest, MeteredProvider, ModelCandidate } from './provider.ts';
import { isNearHost } from './near-host.ts';
import { createRouter, type RouterHost } from './router.ts';
import { createPriceList } from './token-prices.ts';

export interface ModelHosts {
  listed: ListedHosts;
  /** Of the other hosts: it stays the same set while hosts come and go. */
  ids: ReadonlySet<string>;
  /** The model of that name costs nothing but time: it may be asked what it can before a person asks it anything. */
  mayBeMet: (model: string) => boolean;
  access: EngineAccess;
  /** The one way to ask a model: whoever asks says where its tokens are counted. */
  metered: (count: CountRequest, assertAllowed?: () => void) => MeteredProvider;
  /** The models that may answer in place of this one, itself first; undefined = nobody else. */
  fallbacks: (model: string, listed: readonly string[]) => readonly ModelCandidate[] | undefined;
}

interface OpenHostsDeps extends Omit<HostProvidersDeps, 'hosts' | 'keys' | 'slots'>, HostKeysDeps {
  files: Files;
  engine: EngineAccess;
  /** undefined = not connected. */
  engineState: () => EngineState | undefined;
  onEngineState: (listener: () => void) => void;
  /** Called before the engine or a host is asked over TLS, which may be reached through what only the system trusts. */
  trustSystem: (() => void) | undefined;
  /** A model, a session or a profile has a name that begins with that. */
  isTaken: (id: string) => boolean;
  /** Called with the id of a host that is gone: what was learnt of its models is nobody else's. */
  onRemoved: (id: string) => void;
  /** Called with the ids of all hosts when one came or went. */
  onChange: (ids: string[]) => void;
  log: Log;
}

/** Never rejects: what cannot be used of the file is logged, and the rest works. */
export async function openHosts(deps: OpenHostsDeps): Promise<ModelHosts> {
  const { engine, clock, log, onChange } = deps;
  const keys = createHostKeys(deps);
  const hosts = await openHostList({
    ...deps,
    onChange(removed) {
      followHosts();
      for (const id of removed) {
        router.retry(id);
        deps.onRemoved(id);
      }
      onChange([...hosts.ids]);
    },
  });
  const problem = hosts.problem();
  if (problem !== null) log.warn('Not all of hosts.json can be used', { problem });
  const providers = new Map<string, RouterHost>();
  /** Also of those that are gone: a turn that runs on one ends there, and not on the engine. */
  const everyId = new Set<string>();
  const router = createRouter({ providers, ids: everyId, clock });
  const slots = (model: string) => engine.slots(model);
  const followHosts = (): void => {
    for (const id of hosts.ids) everyId.add(id);
    if (hosts.all().some(({ url }) => isOverTls(url))) deps.trustSystem?.();
    providers.clear();
    for (const [id, host] of createHostProviders({ ...deps, hosts: hosts.all(), keys, slots }))
      providers.set(id, host);
  };
  followHosts();
  const engineUrl = (): string | undefined => {
    const status = deps.engineState()?.status;
    return status?.kind === 'running' ? status.url : undefined;
  };
  let isEngineTrusted = false;
  // Who found and loaded there is another process: this one asks for the answers.
  deps.onEngineState(() => {
    if (isEngineTrusted || !isOverTls(engineUrl() ?? '')) return;
    isEngineTrusted = true;
    deps.trustSystem?.();
  });
  const hostOf = (model: string): HostConfig | undefined => hosts.find(splitModelName(model, hosts.ids).host);
  return {
    listed: createListedHosts({ hosts, keys, clock, trustSystem: deps.trustSystem, engineUrl }),
    ids: hosts.ids,
    mayBeMet(model) {
      const host = hostOf(model);
      return host === undefined || isNearHost(host);
    },
    access: withHosts(engine, { hosts, keys, clock, onAvailable: (id) => router.retry(id) }),
    metered: createMeter(
      router,
      createPriceList(() => hosts.all()),
    ),
    fallbacks: (model, listed) => (everyId.size > 0 ? candidatesFor(model, listed, everyId) : undefined),
  };
}
