/** Which kind of server answers at an address that a person typed, and which models it has. */
import { AndironError } from '../../protocol/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HostConfig, HostKind } from './host-kind.ts';
import { hostKinds } from './host-kinds.ts';
import { inTime, listHostModels } from './host-models.ts';
import { isHostAddress } from './hosts.ts';

export interface FoundServer extends Pick<HostConfig, 'kind' | 'url'> {
  /** Those that it lists, as it calls them. */
  models: string[];
}

export interface ServerToFind {
  /** As it was typed; `http://` may be left out. */
  address: string;
  name: string;
  /** null = none was given. */
  key: string | null;
}

/** Rejects with AndironError that says what is wrong with the address, or what the server says. */
export async function findServer(
  { address, name, key }: ServerToFind,
  clock: Clock,
  signal: AbortSignal,
): Promise<FoundServer> {
  const url = toAddress(address);
  const access = { clock, readKey: () => Promise.resolve(key ?? undefined) };
  const ask = async (kind: HostKind): Promise<FoundServer> => {
    const host = { id: '', name, kind, url: hostKinds[kind].baseUrl(url), apiKeyEnv: undefined };
    const models = await inTime(host, clock, signal, (late) => listHostModels(host, access, late));
    return { kind, url: host.url, models: models.map(({ model }) => model) };
  };
  // An Ollama speaks both, and tells more of its models in its own way, which has neither keys nor paths.
  const isPlain = key === null && new URL(url).pathname === '/';
  const [openai, ollama] = await Promise.allSettled([ask('openai'), ask('ollama')]);
  signal.throwIfAborted();
  const inOrder = isPlain ? [ollama, openai] : [openai, ollama];
  const found = inOrder.find((each) => each.status === 'fulfilled');
  if (found) return found.value;
  // What answered and refused tells more than what did not answer, and the dialect knows of keys.
  const failures = [openai, ollama].flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  throw failures.find(isRefusal) ?? nobody(url);
}

const isRefusal = (error: unknown): boolean =>
  error instanceof AndironError && error.code === 'engine_refused';

/** Throws AndironError for what no server can have. */
function toAddress(typed: string): string {
  const trimmed = typed.trim();
  const url = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`;
  if (isHostAddress(url)) return url;
  throw new AndironError(
    'invalid_params',
    'That is not the address of a server.',
    'Type one such as http://127.0.0.1:1234, without user, password, “?” and “#”.',
  );
}

const nobody = (url: string): AndironError =>
  new AndironError(
    'engine_unavailable',
    `No model server answers at ${url}.`,
    'Start the server, check the address, then try again.',
  );
