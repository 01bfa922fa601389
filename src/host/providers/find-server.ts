/** Which kind of server answers at an address that a person typed, and which models it has. */
import { AndironError } from '../../protocol/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { HostConfig, HostKind } from './host-kind.ts';
import { hostKinds } from './host-kinds.ts';
import { inTime, listHostModels } from './host-models.ts';
import { isHostAddress } from './hosts.ts';
import { isNearHost } from './near-host.ts';
import { HostRefusal } from './openai-failures.ts';

export interface FoundServer extends Pick<HostConfig, 'kind' | 'url'> {
  /** Those that it lists, as it calls them. */
  models: string[];
}

export interface ServerToFind {
  /** As `toAddress` gives it. */
  url: string;
  /** Empty = nobody gave it one. */
  name: string;
  /** null = none was given. */
  key: string | null;
}

/** `trustSystem` is called before a server is asked over TLS. Rejects with AndironError, or the signal's reason. */
export async function findServer(
  { url, name, key }: ServerToFind,
  { clock, trustSystem }: { clock: Clock; trustSystem: (() => void) | undefined },
  signal: AbortSignal,
): Promise<FoundServer> {
  const { protocol, pathname } = new URL(url);
  if (protocol === 'https:') trustSystem?.();
  else if (key !== null && !isNearHost({ url })) throw unsafe();
  const access = { clock, readKey: () => Promise.resolve(key ?? undefined) };
  const ask = async (kind: HostKind): Promise<FoundServer> => {
    const host = {
      id: '',
      name: name || 'The server',
      kind,
      url: hostKinds[kind].baseUrl(url),
      apiKeyEnv: undefined,
    };
    const models = await inTime(host, clock, signal, (late) => listHostModels(host, access, late));
    return { kind, url: host.url, models: models.map(({ model }) => model) };
  };
  // An Ollama speaks both, and tells more of its models in its own way, which has neither keys nor paths.
  const isPlain = key === null && pathname === '/';
  const [openai, ollama] = await Promise.allSettled([ask('openai'), ask('ollama')]);
  signal.throwIfAborted();
  const inOrder = isPlain ? [ollama, openai] : [openai, ollama];
  const found = inOrder.find((each) => each.status === 'fulfilled');
  if (found) return found.value;
  // The dialect knows of keys and says more of what went wrong.
  const failures = [openai, ollama].flatMap((each) =>
    each.status === 'rejected' ? [each.reason as unknown] : [],
  );
  throw inWords(failures.find(isAnswer) ?? failures[0], key !== null);
}

const isAnswer = (error: unknown): boolean =>
  error instanceof AndironError && error.code !== 'engine_unavailable';

/** What a person who adds a server can do about it. */
function inWords(error: unknown, hasKey: boolean): unknown {
  if (!(error instanceof AndironError)) return error;
  const { code, message } = error;
  const wantsKey = error instanceof HostRefusal && (error.status === 401 || error.status === 403);
  if (wantsKey && !hasKey)
    return new AndironError(code, 'The server asks for an API key.', 'Fill in its key, then try again.');
  if (wantsKey) return new AndironError(code, message, 'Check the key, then try again.');
  const advice =
    code === 'engine_unavailable'
      ? 'Start the server, check the address, then try again.'
      : 'Check the address: many servers want one that ends in /v1.';
  return new AndironError(code, message, advice);
}

/**
 * `typed`: `http://` and `https://` may be left out, and what is out in the internet is then spoken to over TLS. Throws
 * AndironError for what no server can have.
 */
export function toAddress(typed: string): string {
  const trimmed = typed.trim();
  const isWhole = /^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed);
  const plain = isWhole ? trimmed : `http://${trimmed}`;
  if (!isHostAddress(plain)) throw noAddress();
  return isWhole || isNearHost({ url: plain }) ? plain : plain.replace(/^http:/, 'https:');
}

const noAddress = (): AndironError =>
  new AndironError(
    'invalid_params',
    'That is not the address of a server.',
    'Type one such as http://127.0.0.1:1234, without user, password, “?” and “#”.',
  );

const unsafe = (): AndironError =>
  new AndironError(
    'invalid_params',
    'Over http anybody on the way could read the key.',
    'Type an address that begins with https.',
  );
