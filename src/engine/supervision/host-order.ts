/** The addresses at which Ollama is looked for, in order, and which of them is used. */
import type { EngineHost } from '../../protocol/engine-room.ts';
import { defaultUrl, parseHost } from './host-address.ts';
import type { Probe } from './probe.ts';

export interface HostPlace {
  url: string;
  origin: EngineHost['origin'];
}

export interface ProbedHost extends HostPlace {
  result: Probe;
}

export interface HostSources {
  /** The only address to look at; null = all of the others. */
  only: string | null;
  /** `OLLAMA_HOST`. */
  environment: string | undefined;
  /** The person's list: addresses as `readAddress` gives them. */
  list: readonly string[];
  /** Of Andiron's own child; null = none was set up. */
  own: string | null;
}

/** No address twice: its first place counts. */
export function orderHosts({ only, environment, list, own }: HostSources): HostPlace[] {
  if (only !== null) return [{ url: only, origin: 'list' }];
  const places: HostPlace[] = [];
  if (environment?.trim()) places.push({ url: parseHost(environment), origin: 'environment' });
  places.push(...list.map((url): HostPlace => ({ url, origin: 'list' })));
  if (own !== null) places.push({ url: own, origin: 'own' });
  places.push({ url: defaultUrl, origin: 'default' });
  return places.filter(({ url }, index) => places.findIndex((place) => place.url === url) === index);
}

/** The first that answers; while the GPU is in use, the one in use as long as it answers (never under a lease). */
export function chooseHost(
  hosts: readonly ProbedHost[],
  inUse: string | null,
  isIdle: boolean,
): (HostPlace & { version: string }) | undefined {
  const answering = hosts.flatMap(({ url, origin, result }) =>
    result.kind === 'running' ? [{ url, origin, version: result.version }] : [],
  );
  const present = isIdle ? undefined : answering.find(({ url }) => url === inUse);
  return present ?? answering[0];
}

export function reportHosts(hosts: readonly ProbedHost[], inUse: string | null): EngineHost[] {
  return hosts.map(({ url, origin, result }) => ({
    url,
    origin,
    standing: url === inUse ? 'in_use' : standings[result.kind],
    version: result.kind === 'running' ? result.version : null,
  }));
}

const standings = { running: 'answers', nobody: 'silent', silent: 'silent', wrong: 'wrong' } as const;
