/** `mcp.json` in the data folder: servers in the form that other clients have. Written by people, so it may be wrong. */
import { isAbsolute, join } from 'node:path';
import { z } from 'zod';
import type { Files } from '../../platform/files.ts';
import { AndironError } from '../../protocol/errors.ts';
import { parseJson } from '../../protocol/json.ts';
import { serverNamePattern } from '../../protocol/mcp-methods.ts';

const mcpFileName = 'mcp.json';
const maxFileBytes = 256 * 1024;
const maxServers = 64;

const shared = {
  disabled: z.boolean().default(false),
  description: z.string().max(1_000).default(''),
};

const commandSchema = z.looseObject({
  type: z.literal('stdio').optional(),
  command: z.string().min(1).max(4_096),
  args: z.array(z.string().max(4_096)).max(64).default([]),
  env: z.record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(32_768)).default({}),
  /** Not of other clients: what of the person it may change, and which hosts it may reach. */
  folders: z
    .array(z.string().refine(isAbsolute, 'expected whole paths, from the root of the disk'))
    .max(16)
    .default([]),
  hosts: z.array(z.hostname()).max(32).default([]),
  unsandboxed: z.boolean().default(false),
  ...shared,
});

const addressSchema = z.looseObject({
  type: z.enum(['http', 'streamable-http', 'streamableHttp']).optional(),
  url: z.url({ protocol: /^https?$/ }).refine((url) => {
    const { username, password } = new URL(url);
    return username === '' && password === '';
  }, 'expected an address without user and password'),
  headers: z.record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().max(32_768)).default({}),
  /** For servers whose sign-in knows its clients beforehand, or takes the address of what describes them. */
  oauth: z
    .looseObject({
      clientId: z.string().min(1).max(2_000).optional(),
      clientSecret: z.string().max(2_000).optional(),
      clientMetadataUrl: z.url({ protocol: /^https$/ }).optional(),
    })
    .default({}),
  ...shared,
});

export type CommandServer = z.output<typeof commandSchema> & { name: string };
export type AddressServer = z.output<typeof addressSchema> & { name: string };
export type ListedServer = CommandServer | AddressServer;

export const isCommand = (server: ListedServer): server is CommandServer => 'command' in server;

/** Where its entry has no key, it may want the person to sign in. */
export const maySignIn = (server: ListedServer): server is AddressServer =>
  !isCommand(server) && !Object.keys(server.headers).some((name) => name.toLowerCase() === 'authorization');

export interface ServerList {
  /** Sorted by name. */
  servers: ListedServer[];
  /** What cannot be used, in words; null = nothing. */
  problem: string | null;
}

type ListFiles = Pick<Files, 'realPath' | 'readBytes' | 'writeAtomic'>;
type Entries = Record<string, unknown>;
const fileSchema = z.looseObject({ mcpServers: z.record(z.string(), z.unknown()).default({}) });
type FileContent = z.output<typeof fileSchema>;

/** Never rejects for what a person wrote. */
export async function readServerList(files: ListFiles, dataDir: string): Promise<ServerList> {
  try {
    const { mcpServers } = await readFile(files, dataDir);
    return toServers(mcpServers);
  } catch (error) {
    return { servers: [], problem: `${mcpFileName}: ${wordsOf(error)}` };
  }
}

/**
 * Takes up what a text names, written as other clients write it: a file, what stands under `mcpServers`, or one entry of
 * it. Rejects with what is wrong and changes nothing then.
 */
export async function addServers(files: ListFiles, dataDir: string, text: string): Promise<string[]> {
  const added = readPasted(text);
  const content = await readFile(files, dataDir);
  const names = Object.keys(added);
  const known = names.find((name) => Object.hasOwn(content.mcpServers, name));
  if (known !== undefined)
    throw invalid(`There is a server ${known} already.`, 'Remove it first, or give this one another name.');
  const { problem } = toServers(added);
  if (problem !== null) throw invalid(`This cannot be used: ${problem}`, 'Correct it, then add it again.');
  if (Object.keys(content.mcpServers).length + names.length > maxServers)
    throw invalid(`There can be ${String(maxServers)} servers.`, 'Remove some that you do not use.');
  await writeFile(files, dataDir, { ...content, mcpServers: { ...content.mcpServers, ...added } });
  return names;
}

/** null removes it. Rejects where there is no such server. */
export async function changeServer(
  files: ListFiles,
  dataDir: string,
  name: string,
  changes: { disabled?: boolean; unsandboxed?: boolean } | null,
): Promise<void> {
  const content = await readFile(files, dataDir);
  const entry = Object.hasOwn(content.mcpServers, name) ? content.mcpServers[name] : undefined;
  if (entry === undefined) throw noServer(name);
  const { [name]: _, ...others } = content.mcpServers;
  const mcpServers =
    changes === null ? others : { ...content.mcpServers, [name]: { ...(entry as object), ...changes } };
  await writeFile(files, dataDir, { ...content, mcpServers });
}

export const noServer = (name: string): AndironError =>
  new AndironError(
    'not_found',
    `There is no server ${name}.`,
    'Read the list again: it may have been removed.',
  );

async function readFile(files: ListFiles, dataDir: string): Promise<FileContent> {
  const path = await files.realPath(join(dataDir, mcpFileName));
  if (path === null) return fileSchema.parse({});
  const text = Buffer.from(await files.readBytes(path, maxFileBytes)).toString();
  return fileSchema.parse(parseJson(text));
}

/** It may hold keys. */
async function writeFile(files: ListFiles, dataDir: string, content: FileContent): Promise<void> {
  const path = join(dataDir, mcpFileName);
  const there = await files.realPath(path);
  await files.writeAtomic(there ?? path, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

function readPasted(text: string): Entries {
  let content: unknown;
  try {
    content = parseJson(text);
  } catch (error) {
    throw invalid(
      `This is no JSON: ${wordsOf(error)}`,
      'Paste the whole file, or the part under "mcpServers".',
    );
  }
  const object = z.record(z.string(), z.unknown()).safeParse(content);
  if (!object.success) throw nothingNamed();
  const { mcpServers, servers } = object.data;
  const entries = z.record(z.string(), z.unknown()).safeParse(mcpServers ?? servers ?? object.data);
  if (!entries.success || Object.keys(entries.data).length === 0) throw nothingNamed();
  return Object.fromEntries(
    Object.entries(entries.data).map(([name, entry]) => [plainName(name), keptIn(entry)]),
  );
}

/** To run without a sandbox takes a yes of its own. */
function keptIn(entry: unknown): unknown {
  if (typeof entry !== 'object' || entry === null || !('unsandboxed' in entry)) return entry;
  const { unsandboxed: _, ...others } = entry;
  return others;
}

const nothingNamed = (): AndironError =>
  invalid('This names no server.', 'Paste the whole file, or the part under "mcpServers".');

/** Other clients allow any name. */
const plainName = (name: string): string =>
  name
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, 32);

function toServers(entries: Entries): ServerList {
  const servers: ListedServer[] = [];
  const problems: string[] = [];
  for (const [name, entry] of Object.entries(entries).slice(0, maxServers)) {
    const isAddress = typeof entry === 'object' && entry !== null && 'url' in entry;
    const read = (isAddress ? addressSchema : commandSchema).safeParse(entry);
    if (!serverNamePattern.test(name))
      problems.push(
        `the name ${JSON.stringify(name.slice(0, 40))} has other signs than letters, digits, - and _`,
      );
    else if (read.success) servers.push({ ...read.data, name });
    else problems.push(`${name}: ${wordsOf(read.error)}`);
  }
  servers.sort((a, b) => (a.name < b.name ? -1 : 1));
  return { servers, problem: problems.length === 0 ? null : problems.join('; ') };
}

const invalid = (message: string, advice: string): AndironError =>
  new AndironError('invalid_params', message, advice);

/** Of an entry the place and what is expected there, never what stands there. */
function wordsOf(error: unknown): string {
  if (error instanceof z.ZodError)
    return error.issues
      .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
      .join('; ');
  // A message of JSON.parse quotes what it could not read.
  if (error instanceof SyntaxError) return 'it cannot be read as JSON';
  return error instanceof Error ? error.message : String(error);
}
