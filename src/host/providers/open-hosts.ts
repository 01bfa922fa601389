/** The engine's Ollama and the model servers that `hosts.json` names, as one provider and one way to a model. */
import type { Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import { createHostKeys, type HostKeysDeps } from './host-keys.ts';
import { createHostProviders, loadHosts, type HostProvidersDeps } from './hosts.ts';
import { createListedHosts, type ListedHosts } from './listed-hosts.ts';
import { isOnHost } from '../../rules/model-names.ts';
import type { EngineAccess } from '../loop/deps.ts';
import { candidatesFor, withHosts } from './hosts-access.ts';
import { createMeter } from './meter.ts';
import type { CountRequest, MeteredProvider, ModelCandidate } from './provider.ts';
import { isNearHost } from './near-host.ts';
import { createRouter } from './router.ts';
import { createPriceList } from './token-prices.ts';

export interface ModelHosts {
  listed: ListedHosts;
  /** Of the other hosts. */
  ids: ReadonlySet<string>;
  /** The model of that name costs nothing but time: it may be asked what it can before a person asks it anything. */
  mayBeMet: (model: string) => boolean;
  access: EngineAccess;
  /** The one way to ask a model: whoever asks says where its tokens are counted. */
  metered: (count: CountRequest, assertAllowed?: () => void) => MeteredProvider;
  /** The models that may answer in place of this one, itself first; undefined = nobody else. */
  fallbacks: (model: string, listed: readonly string[]) => readonly ModelCandidate[] | undefined;
}

interface OpenHostsDeps extends Omit<HostProvidersDeps, 'hosts' | 'keys'>, HostKeysDeps {
  files: Files;
  engine: EngineAccess;
  /** Called before a host is asked over TLS, which may be reached through what only the system trusts. */
  trustSystem: (() => void) | undefined;
  log: Log;
}

/** Never rejects: what cannot be used of the file is logged, and the rest works. */
export async function openHosts(deps: OpenHostsDeps): Promise<ModelHosts> {
  const file = await loadHosts(deps.files, deps.dataDir);
  const { hosts, problem } = file;
  if (problem !== null) deps.log.warn('Not all of hosts.json can be used', { problem });
  if (hosts.some(({ url }) => url.startsWith('https:'))) deps.trustSystem?.();
  const keys = createHostKeys(deps);
  const parts = { ...deps, hosts, keys };
  const router = createRouter({ providers: createHostProviders(parts), clock: deps.clock });
  const ids = new Set(hosts.map(({ id }) => id));
  const farIds = new Set(hosts.filter((host) => !isNearHost(host)).map(({ id }) => id));
  return {
    listed: createListedHosts(file, keys, deps.clock),
    ids,
    mayBeMet: (model) => !isOnHost(model, farIds),
    access: withHosts(deps.engine, parts),
    metered: createMeter(router, createPriceList(hosts)),
    fallbacks: (model, listed) => (hosts.length > 0 ? candidatesFor(model, listed, ids) : undefined),
  };
}
