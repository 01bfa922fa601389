/** `hosts.json` in the data folder: model servers besides the engine's Ollama. Written by people, so it may be wrong. */
import { join } from 'node:path';
import { z } from 'zod';
import { hostsFileName } from '../../platform/clean-start.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Files } from '../../platform/files.ts';
import { parseJson } from '../../protocol/json.ts';
import { engineHost } from '../../rules/model-names.ts';
import type { ImageSource } from './images.ts';
import { createOllamaProvider } from './ollama.ts';
import { createOpenAiProvider } from './openai.ts';
import type { RouterHost } from './router.ts';

export { hostsFileName };
const maxFileBytes = 64 * 1024;

const id = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9_-]{0,31}$/,
    'expected up to 32 of a-z, 0-9, "-" and "_", beginning with a letter or digit',
  )
  .refine((value) => value !== engineHost, `"${engineHost}" is the name of Andiron's own engine`);

/** Keys belong into the environment: an address is shown, logged and copied. */
const url = z
  .url({ protocol: /^https?$/, error: 'expected an address such as http://127.0.0.1:8080/v1' })
  .refine((value) => {
    const { username, password, search, hash } = new URL(value);
    return [username, password, search, hash].every((part) => part === '');
  }, 'expected an address without user, password, "?" and "#"');

const hostSchema = z.discriminatedUnion('kind', [
  z.strictObject({ id, name: z.string().min(1).optional(), kind: z.literal('ollama'), url }),
  z.strictObject({
    id,
    name: z.string().min(1).optional(),
    kind: z.literal('openai'),
    url,
    /** Name of the environment variable that holds the key; left out = none is sent. */
    apiKeyEnv: z
      .string()
      .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'expected the name of an environment variable, not the key itself')
      .optional(),
  }),
]);

const hostsFileSchema = z.strictObject({
  hosts: z
    .array(hostSchema)
    .refine(
      (hosts) => new Set(hosts.map((host) => host.id)).size === hosts.length,
      'two hosts have the same id',
    ),
});

export interface HostConfig {
  id: string;
  name: string;
  kind: 'ollama' | 'openai';
  /** Of an OpenAI-compatible host the API's root, of Ollama the server's. No slash at the end. */
  url: string;
  apiKeyEnv: string | undefined;
}

export interface LoadedHosts {
  hosts: HostConfig[];
  /** The file cannot be used; null = it can, or there is none. Names file, key and what is expected. */
  problem: string | null;
}

/** Never throws for what a person wrote. Without the file there is only the engine's Ollama. */
export async function loadHosts(files: Files, dataDir: string): Promise<LoadedHosts> {
  try {
    const path = await files.realPath(join(dataDir, hostsFileName));
    if (path === null) return { hosts: [], problem: null };
    const text = Buffer.from(await files.readBytes(path, maxFileBytes)).toString();
    const parsed = hostsFileSchema.safeParse(parseJson(text));
    if (!parsed.success) return broken(describeIssues(parsed.error));
    return { hosts: parsed.data.hosts.map(toConfig), problem: null };
  } catch (error) {
    return broken(error instanceof Error ? error.message : String(error));
  }
}

export interface HostProvidersDeps {
  hosts: readonly HostConfig[];
  clock: Clock;
  /** Keys by the names of `apiKeyEnv`. */
  env: Readonly<Record<string, string | undefined>>;
  /** Where the pictures of a log are; none unless given. */
  images?: ImageSource | undefined;
}

/** The engine's Ollama and every host, for the router. */
export function createHostProviders({
  hosts,
  clock,
  env,
  images,
}: HostProvidersDeps): Map<string, RouterHost> {
  const engine: RouterHost = {
    name: 'Ollama',
    provider: createOllamaProvider(clock, images),
    supervised: true,
  };
  const others = hosts.map((host): [string, RouterHost] => {
    const { name } = host;
    const provider =
      host.kind === 'ollama'
        ? createOllamaProvider(clock, images)
        : createOpenAiProvider({ clock, name, apiKey: keyOf(host, env), images });
    return [host.id, { name, url: host.url, provider }];
  });
  return new Map([[engineHost, engine], ...others]);
}

/** undefined = the host wants none, or nobody set it: then its refusal says what to do. */
export function keyOf({ apiKeyEnv }: HostConfig, env: HostProvidersDeps['env']): string | undefined {
  const key = apiKeyEnv === undefined ? '' : (env[apiKeyEnv] ?? '').trim();
  return key === '' ? undefined : key;
}

function toConfig(host: z.infer<typeof hostSchema>): HostConfig {
  return {
    id: host.id,
    name: host.name ?? host.id,
    kind: host.kind,
    url: host.kind === 'openai' ? apiRoot(host.url) : withoutEndSlash(host.url),
    apiKeyEnv: host.kind === 'openai' ? host.apiKeyEnv : undefined,
  };
}

/** People give the server, the API's root or the whole address of its chats; all of them mean the same. */
function apiRoot(address: string): string {
  const root = withoutEndSlash(withoutEndSlash(address).replace(/\/chat\/completions$/, ''));
  return new URL(root).pathname === '/' ? `${root}/v1` : root;
}

function withoutEndSlash(address: string): string {
  return address.replace(/\/+$/, '');
}

function broken(why: string): LoadedHosts {
  return { hosts: [], problem: `${hostsFileName}: ${why}` };
}

function describeIssues(error: z.ZodError): string {
  return error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`).join('; ');
}
