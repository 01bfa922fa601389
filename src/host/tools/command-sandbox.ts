/** What a command of a session may reach: the session's folder, and to be read what programs need. */
import { basename, delimiter, dirname, isAbsolute, join } from 'node:path';
import type { ReadableFiles } from '../../platform/files.ts';
import { limited, type CommandLimits } from '../../platform/sandbox/command-limits.ts';
import type {
  KeptStart,
  OpenProxy,
  Sandbox,
  SandboxPolicy,
  SandboxStart,
  SandboxStatus,
} from '../../platform/sandbox/sandbox.ts';
import { isBeneath } from '../../rules/path-names.ts';
import type { ToolContext } from './tool.ts';

type Session = Pick<ToolContext, 'workspace' | 'attached'>;

export interface CommandSandbox {
  readonly status: SandboxStatus;
  /** A way to hosts for one command. Absent = none reaches any. */
  readonly openProxy?: OpenProxy | undefined;
  /**
   * The same program, kept in the session's folder (its real path). Rejects where there is no sandbox.
   * @param session `attached`: what it may read wherever it lies, and change nowhere
   * @param proxy the socket file of all that it may reach; null = it reaches nothing
   */
  keep(start: SandboxStart, session: Session, proxy: string | null): Promise<KeptStart>;
}

export interface CommandSandboxDeps {
  sandbox: Sandbox;
  files: Pick<ReadableFiles, 'realPath' | 'stat' | 'readFolder'>;
  /** Andiron's data folder, in every spelling. */
  dataDirs: readonly string[];
  /** The person's home, in every spelling. */
  homeDirs: readonly string[];
  platform: string;
  /** On the disk of that folder; null = unknown. */
  freeBytes: (folder: string) => Promise<number | null>;
  /** Of Andiron itself: where its PATH and the person's toolchains are. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** What runs on its own when somebody opens the folder, commits or pushes: a command must not leave a later one behind. */
const ranOnTheirOwn = (
  '.git/hooks .git/config .husky .githooks .envrc .vscode .idea .devcontainer ' +
  '.github .gitlab .gitlab-ci.yml .circleci .gitea .forgejo .woodpecker'
).split(' ');

/** Folders of toolchains that a person may have at home; none of them holds keys. */
const toolchains =
  'JAVA_HOME GOROOT RUSTUP_HOME NVM_DIR VOLTA_HOME PYENV_ROOT RBENV_ROOT DOTNET_ROOT CONDA_PREFIX';
/** What stands beside the `bin` of a toolchain, and belongs to it. */
const besidePrograms = ['lib', 'lib64', 'libexec', 'include'];

export function createCommandSandbox(deps: CommandSandboxDeps): CommandSandbox {
  const { sandbox } = deps;
  let programs: Promise<string[]> | undefined;
  return {
    status: sandbox.status,
    openProxy: sandbox.openProxy,
    async keep(start, session, proxy) {
      programs ??= programFolders(deps);
      const kept = { ...start, ...limited(start, await limitsFor(session.workspace, deps)) };
      return sandbox.keep(kept, { ...(await policyFor(session, await programs, deps)), proxy });
    },
  };
}

/** More than any build starts, and few enough for the machine to stay usable. */
const maxProcesses = 8_192;
const minFileBytes = 1024 ** 3;

/** One file may not fill the disk: Andiron itself could write no more. Only Linux counts the processes of a sandbox apart. */
async function limitsFor(
  workspace: string,
  { platform, freeBytes }: Pick<CommandSandboxDeps, 'platform' | 'freeBytes'>,
): Promise<CommandLimits> {
  const free = await freeBytes(workspace);
  return {
    fileBytes: free === null ? null : Math.max(minFileBytes, Math.floor(free / 2)),
    processes: platform === 'linux' ? maxProcesses : null,
  };
}

async function policyFor(
  { workspace, attached = [] }: Session,
  programs: readonly string[],
  deps: CommandSandboxDeps,
): Promise<Omit<SandboxPolicy, 'proxy'>> {
  const { files, sandbox, dataDirs, homeDirs } = deps;
  const found = await Promise.all(ranOnTheirOwn.map((name) => realFile(join(workspace, name), files)));
  // A link in the folder must not lead the mount elsewhere.
  const own = [...found, ...attached].flatMap((path) =>
    path !== null && isBeneath(workspace, path) ? [path] : [],
  );
  // A whole home as the folder of a session is no reason to show the settings and keys that lie hidden in it.
  const homes = homeDirs.filter((home) => isBeneath(workspace, home));
  const settings = await Promise.all(homes.map((home) => hiddenIn(home, files)));
  const data = dataDirs.filter((folder) => isBeneath(workspace, folder));
  const masked = [...settings.flat(), ...data.map((path) => ({ path, isFolder: true }))];
  const around = [...sandbox.hidden, ...dataDirs, ...homeDirs, workspace];
  const isOfWork = (folder: string): boolean =>
    isBeneath(workspace, folder) && !masked.some(({ path }) => isBeneath(path, folder));
  return {
    hidden: dataDirs.filter((folder) => !isBeneath(workspace, folder)),
    // What is mounted can neither be moved away nor replaced: with `.git` as it is, its hooks stay in their place.
    writable: [
      workspace,
      ...new Set(own.map((path) => dirname(path)).filter((folder) => folder !== workspace)),
    ],
    readOnly: own,
    masked,
    // What lies in the work is written there as all else.
    readable: [
      ...programs.filter((folder) => isApart(folder, around) && !isOfWork(folder)),
      ...attached.filter((folder) => !isBeneath(workspace, folder)),
    ],
  };
}

/** Showing it shows nothing that is hidden as a whole. */
const isApart = (folder: string, hidden: readonly string[]): boolean =>
  !hidden.some((place) => isBeneath(folder, place));

async function realFile(path: string, files: CommandSandboxDeps['files']): Promise<string | null> {
  return files.realPath(path).catch(() => null);
}

async function hiddenIn(home: string, files: CommandSandboxDeps['files']): Promise<SandboxPolicy['masked']> {
  const entries = await files.readFolder(home);
  return entries
    .filter(({ name, kind }) => name.startsWith('.') && (kind === 'folder' || kind === 'file'))
    .map(({ name, kind }) => ({ path: join(home, name), isFolder: kind === 'folder' }));
}

/** Where the programs of the PATH are, with what belongs to them, by their real paths. */
export async function programFolders({
  files,
  environment,
}: Pick<CommandSandboxDeps, 'files' | 'environment'>): Promise<string[]> {
  const onPath = (environment['PATH'] ?? '').split(delimiter).filter(isAbsolute);
  const named = toolchains.split(' ').flatMap((name) => environment[name] ?? []);
  const beside = onPath
    .filter((folder) => basename(folder) === 'bin')
    .flatMap((folder) => besidePrograms.map((name) => join(dirname(folder), name)));
  const found = await Promise.all(
    [...onPath, ...named.filter(isAbsolute), ...beside].map(async (path) => {
      const real = await realFile(path, files);
      return real !== null && (await files.stat(real))?.kind === 'folder' ? [real] : [];
    }),
  );
  return [...new Set(found.flat())];
}
