/** A server that is a process, in the sandbox with rules of its own: its own folder, and what its entry names. */
import { dirname, isAbsolute, join } from 'node:path';
import type { Files } from '../../platform/files.ts';
import type { Processes } from '../../platform/processes.ts';
import { limited } from '../../platform/sandbox/command-limits.ts';
import type { HostProxy } from '../../platform/sandbox/host-proxy.ts';
import type { Sandbox } from '../../platform/sandbox/sandbox.ts';
import { AndironError } from '../../protocol/errors.ts';
import { isBeneath } from '../../rules/path-names.ts';
import { commandEnvironment, keptEnvironment } from '../tools/command-environment.ts';
import { whyNotSandboxed } from '../tools/sandbox-words.ts';
import { ProcessTransport, type RunServer } from './process-transport.ts';
import type { OpenedTransport } from './server-link.ts';
import type { CommandServer } from './server-file.ts';

type NamedPlaces = Pick<Files, 'realPath' | 'stat'>;

const memoryBytes = 2 * 1024 ** 3;
const fileBytes = 1024 ** 3;
const maxProcesses = 1_024;

/** Many old ones say nothing to what they do not know. */
const probeMs = 5_000;

export interface OpenProcessDeps {
  sandbox: Sandbox;
  processes: Processes;
  files: Files;
  platform: string;
  dataDir: string;
  /** Andiron's data folder, and the person's home, in every spelling. */
  dataDirs: readonly string[];
  homeDirs: readonly string[];
  /** Where the programs of the PATH are, by their real paths. */
  programs: () => Promise<string[]>;
}

/** Where a server keeps what it writes. It goes with the server. */
export const serverFolder = (dataDir: string, name: string): string => join(dataDir, 'mcp', name);

/** Rejects with AndironError `not_allowed` where it could only run outside of a sandbox, and nobody said yes to that. */
export async function openProcess(server: CommandServer, deps: OpenProcessDeps): Promise<OpenedTransport> {
  const { sandbox, files, dataDir } = deps;
  const isKept = sandbox.status.kind !== 'none';
  if (!isKept && !server.unsandboxed)
    throw new AndironError(
      'not_allowed',
      'There is no sandbox for this server.',
      whyNotSandboxed(sandbox.status) ?? '',
    );
  await files.makeFolder(serverFolder(dataDir, server.name));
  const transport = new ProcessTransport(isKept ? keptRun(server, deps) : freeRun(server, deps));
  return {
    transport,
    probeMs,
    endsIfOld: true,
    lastWords: () => withoutSecrets(transport.lastWords, server.env),
  };
}

function freeRun(server: CommandServer, { processes, dataDir, platform }: OpenProcessDeps): RunServer {
  return (io) =>
    processes.run({
      ...io,
      file: server.command,
      args: server.args,
      cwd: serverFolder(dataDir, server.name),
      env: { ...commandEnvironment(processes.environment, platform), ...server.env },
      memoryLimit: memoryBytes,
    });
}

function keptRun(server: CommandServer, deps: OpenProcessDeps): RunServer {
  const { sandbox, processes, files, dataDir, dataDirs, platform } = deps;
  return async (io) => {
    const folder = await realFolder(serverFolder(dataDir, server.name), files);
    const proxy = await openWay(server, sandbox);
    try {
      const start = { file: server.command, args: server.args, cwd: folder };
      const limits = { fileBytes, processes: platform === 'linux' ? maxProcesses : null };
      const kept = await sandbox.keep(
        { ...start, ...limited(start, limits) },
        {
          hidden: dataDirs,
          writable: [folder, ...(await Promise.all(server.folders.map((path) => workFolder(path, deps))))],
          readOnly: [],
          masked: [],
          readable: [...(await deps.programs()), ...(await namedIn(server, files))].filter(
            (path) => !holdsPrivate(path, deps),
          ),
          proxy: proxy?.path ?? null,
        },
      );
      const { env: own, release, ...rest } = kept;
      try {
        return await processes.run({
          ...io,
          ...rest,
          env: {
            ...commandEnvironment(processes.environment, platform),
            ...keptEnvironment,
            // Its home is the one folder that it has.
            HOME: folder,
            ...server.env,
            ...own,
          },
          memoryLimit: memoryBytes,
        });
      } finally {
        await release?.();
      }
    } finally {
      await proxy?.close();
    }
  };
}

/** Without hosts in its entry it reaches none. */
async function openWay({ hosts }: CommandServer, { openProxy }: Sandbox): Promise<HostProxy | null> {
  if (hosts.length === 0) return null;
  if (!openProxy) throw new Error('In this sandbox nothing can reach a host.');
  const allowed = new Set(hosts.map((host) => host.toLowerCase()));
  return openProxy(({ host, isPrivate }) => Promise.resolve(allowed.has(host.toLowerCase()) && !isPrivate));
}

/** What the command line itself names may be read: a program, or a folder. */
async function namedIn({ command, args, folders }: CommandServer, files: NamedPlaces): Promise<string[]> {
  const found = await Promise.all(
    [command, ...args].filter(isAbsolute).map(async (path) => {
      const real = await files.realPath(path).catch(() => null);
      if (real === null || folders.includes(path)) return [];
      return (await files.stat(real))?.kind === 'folder' ? [real] : [programFolder(real)];
    }),
  );
  return [...new Set(found.flat())];
}

/** Shown as a whole, it would show Andiron's own data, or all settings and keys of a home. */
const holdsPrivate = (path: string, { dataDirs, homeDirs }: OpenProcessDeps): boolean =>
  [...dataDirs, ...homeDirs].some((folder) => isBeneath(path, folder)) ||
  dataDirs.some((folder) => isBeneath(folder, path));

async function workFolder(path: string, deps: OpenProcessDeps): Promise<string> {
  const folder = await realFolder(path, deps.files);
  if (holdsPrivate(folder, deps))
    throw new AndironError(
      'workspace_invalid',
      `A server may not have the folder ${path}.`,
      'Name folders in your home that hold what it is to work on.',
    );
  return folder;
}

/** A program in `node_modules` needs those beside it. */
function programFolder(file: string): string {
  const at = file.indexOf('/node_modules/');
  return at === -1 ? dirname(file) : file.slice(0, at + '/node_modules'.length);
}

async function realFolder(path: string, files: NamedPlaces): Promise<string> {
  const real = await files.realPath(path).catch(() => null);
  if (real !== null && (await files.stat(real))?.kind === 'folder') return real;
  throw new Error(`There is no folder ${path}.`);
}

const minSecret = 4;

function withoutSecrets(text: string, values: Readonly<Record<string, string>>): string {
  return Object.values(values)
    .filter((value) => value.length >= minSecret)
    .reduce((rest, value) => rest.replaceAll(value, '…'), text);
}
