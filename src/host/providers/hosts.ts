/** `hosts.json` in the data folder: model servers besides the engine's Ollama. Written by people, so it may be wrong. */
import { join } from 'node:path';
import { z } from 'zod';
import { hostsFileName } from '../../platform/clean-start.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ReadableFiles } from '../../platform/files.ts';
import { parseJson } from '../../protocol/json.ts';
import { engineHost } from '../../rules/model-names.ts';
import type { HostConfig, HostKind } from './host-kind.ts';
import { hostKinds, isHostKind } from './host-kinds.ts';
import type { HostKeys } from './host-keys.ts';
import type { ImageSource } from './images.ts';
import { createOllamaProvider } from './ollama.ts';
import type { RouterHost } from './router.ts';
import type { ReadSlots } from './silence.ts';
import { tokenPricesSchema } from './token-prices.ts';

export { hostsFileName };
export const maxHostsFileBytes = 64 * 1024;

const id = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'expected up to 32 of a-z, 0-9, "-" and "_", beginning with a letter or digit',
  )
  .refine((value) => value !== engineHost, `"${engineHost}" is the name of Andiron's own engine`);

/** Keys are kept apart: an address is shown, logged and copied. */
const url = z
  .url({ protocol: /^https?$/, error: 'expected an address such as http://127.0.0.1:8080/v1' })
  .refine((value) => {
    // What is no address at all was said above.
    if (!URL.canParse(value)) return true;
    const { username, password, search, hash } = new URL(value);
    return [username, password, search, hash].every((part) => part === '');
  }, 'expected an address without user, password, "?" and "#"');

export const isHostAddress = (address: string): boolean => url.safeParse(address).success;

/** The name of an environment variable that holds the key, for who starts Andiron from a shell. */
const apiKeyEnv = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable, not the key itself')
  .optional();

const schemaOf = (kind: HostKind) =>
  z.strictObject({
    id,
    name: z.string().min(1).optional(),
    kind: z.literal(kind),
    url,
    prices: tokenPricesSchema.optional(),
    apiKeyEnv: hostKinds[kind].takesKey
      ? apiKeyEnv
      : z.undefined({ error: 'this kind of host takes no key' }).optional(),
  });

const hostsFileSchema = z.strictObject({ hosts: z.array(z.looseObject({ kind: z.string() })) });

export interface LoadedHosts {
  hosts: HostConfig[];
  /** What cannot be used; null = nothing, or there is no file. Names file, key and what is expected. */
  problem: string | null;
  /** As it was written, for whoever adds to it; null = it cannot be used as it is. */
  file: z.infer<typeof hostsFileSchema> | null;
}

/** Never throws for what a person wrote. Without the file there is only the engine's Ollama. */
export async function loadHosts(
  files: Pick<ReadableFiles, 'realPath' | 'readBytes'>,
  dataDir: string,
): Promise<LoadedHosts> {
  try {
    const path = await files.realPath(join(dataDir, hostsFileName));
    if (path === null) return readHosts({ hosts: [] });
    const text = Buffer.from(await files.readBytes(path, maxHostsFileBytes)).toString();
    return readHosts(parseJson(text));
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
}

/** A kind of a later Andiron leaves only its own host out; whatever else is wrong, the person should see at once. */
export function readHosts(content: unknown): LoadedHosts {
  const file = hostsFileSchema.safeParse(content);
  if (!file.success) return broken(describeIssues(file.error));
  const hosts: HostConfig[] = [];
  const unknown: string[] = [];
  for (const [index, entry] of file.data.hosts.entries()) {
    if (!isHostKind(entry.kind)) {
      const known = Object.keys(hostKinds).join(' or ');
      unknown.push(`hosts.${String(index)}.kind: there is no kind "${entry.kind}"; expected ${known}`);
      continue;
    }
    const parsed = schemaOf(entry.kind).safeParse(entry);
    if (!parsed.success) return broken(describeIssues(parsed.error, ['hosts', index]));
    hosts.push(toConfig(parsed.data));
  }
  if (new Set(hosts.map((host) => host.id)).size < hosts.length)
    return broken('hosts: two hosts have the same id');
  const problem = unknown.length === 0 ? null : broken(unknown.join('; ')).problem;
  return { hosts, problem, file: file.data };
}

export interface HostProvidersDeps {
  hosts: readonly HostConfig[];
  clock: Clock;
  keys: Pick<HostKeys, 'keyOf'>;
  /** Where the pictures of a log are; none unless given. */
  images?: ImageSource | undefined;
  /** Of the runners of the engine; left out = they cannot be asked. */
  slots?: ReadSlots | undefined;
}

/** The engine's Ollama and every host, for the router. */
export function createHostProviders({
  hosts,
  clock,
  keys,
  images,
  slots,
}: HostProvidersDeps): Map<string, RouterHost> {
  const engine: RouterHost = {
    name: 'Ollama',
    provider: createOllamaProvider({ clock, images, slots }),
    supervised: true,
  };
  const others = hosts.map((host): [string, RouterHost] => {
    const { name, url, kind } = host;
    const provider = hostKinds[kind].createProvider(host, { clock, readKey: () => keys.keyOf(host) }, images);
    return [host.id, { name, url, provider }];
  });
  return new Map([[engineHost, engine], ...others]);
}

function toConfig({ name, apiKeyEnv: key, ...host }: z.infer<ReturnType<typeof schemaOf>>): HostConfig {
  return { ...host, name: name ?? host.id, url: hostKinds[host.kind].baseUrl(host.url), apiKeyEnv: key };
}

function broken(why: string): LoadedHosts {
  return { hosts: [], problem: `${hostsFileName}: ${why}`, file: null };
}

function describeIssues(error: z.ZodError, at: readonly (string | number)[] = []): string {
  return error.issues
    .map(({ path, message }) => `${[...at, ...path].join('.') || 'the file'}: ${message}`)
    .join('; ');
}
