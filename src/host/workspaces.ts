/** The folders that the person works in: what tools may reach there, what they changed, and what a message may name. */
import { isAbsolute, join } from 'node:path';
import type { NewId } from '../platform/clock.ts';
import type { ReadableFiles } from '../platform/files.ts';
import { noSandbox, type Sandbox, type SandboxStatus } from '../platform/sandbox/sandbox.ts';
import { systemEntryPlaces } from '../platform/place-entry.ts';
import { ownWorkspaces } from '../platform/own-workspaces.ts';
import { filesWithUmask } from '../platform/umask-files.ts';
import type { UndoCoverage } from '../protocol/changed-files.ts';
import { AndironError } from '../protocol/errors.ts';
import { createDocuments, type DocumentsDeps } from './documents/documents.ts';
import { createWorkspaceFiles } from './attachments/workspace-files.ts';
import { createKeptContents } from './file-changes/points/kept-contents.ts';
import { openCommandRecorder } from './file-changes/points/record-commands.ts';
import { FileChanges, type FileChangesDeps } from './file-changes/file-changes.ts';
import { fileSeen, textSeen } from './planning/evidence.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from './planning/todo-list.ts';
import type { ProtectedRoots } from '../rules/protected-paths.ts';
import { coversAll } from '../rules/undo-coverage.ts';
import { commandEnvironment } from './tools/command-environment.ts';
import { createCommandSandbox } from './tools/command-sandbox.ts';
import { runSearch } from './tools/ripgrep.ts';
import { createSearchSandbox } from './tools/search-sandbox.ts';
import { whyNotSandboxed } from './tools/sandbox-words.ts';
import { lookAtFile } from './tools/look-at-file.ts';
import { createPathGuard } from './tools/path-guard.ts';
import { openMcp, type OpenMcpDeps } from './open-mcp.ts';
import { openWeb, type OpenWebDeps } from './open-web.ts';
import { createSourceNumbers } from './web/source-numbers.ts';
import { Skills, type SkillsDeps } from './skills/skills.ts';
import { createReadLedger } from './tools/read-ledger.ts';
import { createToolRegistry, type ToolRegistryDeps } from './tools/registry.ts';
import { workspaceEntries } from './tools/workspace-entries.ts';

export interface WorkspacesDeps
  extends
    Omit<FileChangesDeps, 'maxKeptContent' | 'contents' | 'places' | 'store'>,
    Pick<
      ToolRegistryDeps,
      | 'files'
      | 'processes'
      | 'ripgrepPath'
      | 'platform'
      | 'memory'
      | 'schedule'
      | 'collections'
      | 'freeMemory'
    >,
    Pick<OpenMcpDeps, 'log' | 'trustSystem'>,
    Pick<OpenWebDeps, 'nodePath' | 'pageReader' | 'webEdges' | 'keychain'>,
    Pick<DocumentsDeps, 'documentReader' | 'documentWriter'> {
  store: FileChangesDeps['store'] & OpenMcpDeps['store'] & OpenWebDeps['store'] & SkillsDeps['store'];
  /** What new files do without; undefined = as this process. */
  umask?: number | undefined;
  dataDir: string;
  newId: NewId;
  self?: { homeDir: string | null; version: string | null };
  /** A server of tools, or one of its tools, is another one now. */
  onMcpChange: () => void;
  onSkills: Pick<SkillsDeps, 'onLoad' | 'onChange'>;
  /** On the disk of a folder; unknown unless given. */
  freeBytes?: ((folder: string) => Promise<number | null>) | undefined;
  /** What commands are kept in; nothing unless given. */
  sandbox?: Promise<Sandbox>;
}

/** Resolves when what a host that died left half written is settled. */
export async function openWorkspaces(deps: WorkspacesDeps) {
  const { files, umask, processes } = deps;
  const ofPerson = umask === undefined ? files : filesWithUmask(files, umask);
  const own = await ownFolders(files, deps.dataDir, deps.self?.homeDir ?? null);
  const contents = createKeptContents(join(deps.dataDir, 'undo', 'contents'), files);
  const fileChanges = new FileChanges({ ...deps, files: ofPerson, places: systemEntryPlaces, contents });
  await fileChanges.recover();
  const sandbox = (await deps.sandbox) ?? noSandbox('system');
  const keepSearch = createSearchSandbox({ sandbox, files, ...own });
  const commands = await openCommandRecorder({
    ...deps,
    keepSearch,
    dataDirs: own.dataDirs,
    places: systemEntryPlaces,
    contents,
    folder: join(deps.dataDir, 'undo', 'points'),
  });
  const guard = createPathGuard(files, own);
  const readLedger = createReadLedger();
  const { servers, bridge } = openMcp({
    ...deps,
    ...own,
    sandbox,
    keychain: deps.keychain ?? null,
    version: deps.self?.version ?? '',
    onChange: deps.onMcpChange,
  });
  const number = createSourceNumbers();
  const { web, control, readPage } = openWeb({ ...deps, ...own, sandbox, number });
  const documents = createDocuments({ ...deps, ...own, sandbox, nodePath: deps.nodePath ?? null });
  const resolve = (path: string): Promise<string> => resolveWorkspace(files, path);
  const skills = new Skills({
    ...deps,
    resolveWorkspace: resolve,
    ...deps.onSkills,
    dataDir: own.dataDirs.at(-1) ?? deps.dataDir,
    homeDir: deps.self?.homeDir ?? null,
  });
  const workspaceFiles = createWorkspaceFiles({
    runSearch: (request) => runSearch({ processes, keepSearch }, request),
    ripgrepPath: deps.ripgrepPath,
    environment: commandEnvironment(processes.environment),
    resolveWorkspace: resolve,
    clock: deps.clock,
  });
  return {
    sandboxStatus: sandbox.status,
    mcp: servers,
    web: control,
    readPage,
    numberSource: number,
    roots: own,
    listFolder: (folder: string) => workspaceFiles.list(folder),
    documents,
    skills,
    mayWorkAlone: (folder: string) => checkWorkAlone(sandbox.status, commands.coverage(folder)),
    fileChanges,
    readLedger,
    resolveWorkspace: resolve,
    tools: createToolRegistry({
      files: ofPerson,
      guard,
      processes,
      ripgrepPath: deps.ripgrepPath,
      keepSearch,
      platform: deps.platform,
      freeMemory: deps.freeMemory,
      sandbox: createCommandSandbox({
        ...deps,
        sandbox,
        ...own,
        freeBytes: deps.freeBytes ?? (() => Promise.resolve(null)),
        environment: processes.environment,
      }),
      todo: { setSteps, setStatus, renderTodo, summarizeTodo },
      memory: deps.memory,
      schedule: deps.schedule,
      skills,
      mcp: bridge,
      web,
      collections: deps.collections,
      documents,
      recorder: fileChanges.recorder,
      commands,
      readLedger,
    }),
    look: lookAtFile(files, guard, { fileSeen, textSeen }),
    workspaceEntries: (workspace: string) => workspaceEntries(files, guard, workspace),
    workspaceFiles,
  };
}

/** Without asking only what can be kept in, and taken back. Rejects with what is missing, and how to get it. */
async function checkWorkAlone(status: SandboxStatus, coverage: Promise<UndoCoverage>): Promise<void> {
  const why = whyNotSandboxed(status);
  if (why !== undefined)
    throw new AndironError('invalid_params', 'A session can only work alone in a sandbox.', why);
  const covered = await coverage;
  if (coversAll(covered)) return;
  const what = covered.kind === 'covered' ? 'keep every file of this folder' : 'cover this folder';
  throw new AndironError(
    'invalid_params',
    `Undo cannot ${what}, so nothing works alone in it.`,
    'Choose a smaller folder, or have Git ignore what need not be kept.',
  );
}

/** No tool opens Andiron's own data, but for the folders in it that sessions work in, nor hidden files of a home unasked. */
async function ownFolders(
  files: ReadableFiles,
  dataDir: string,
  homeDir: string | null,
): Promise<ProtectedRoots> {
  const real = await files.realPath(dataDir).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'Check the disk that holds the data folder, then start Andiron again.';
    throw new AndironError('storage', `The data folder cannot be read: ${reason}.`, advice, { cause: error });
  });
  const dataDirs = [dataDir, real ?? dataDir];
  const workspaces = dataDirs.flatMap((dir) => ownWorkspaces.map((name) => join(dir, name)));
  const realHome = homeDir && (await files.realPath(homeDir).catch(() => null));
  const homeDirs = [homeDir, realHome].filter((dir) => typeof dir === 'string');
  return { dataDirs: [...new Set(dataDirs)], workspaces, homeDirs: [...new Set(homeDirs)] };
}

async function resolveWorkspace(files: ReadableFiles, path: string): Promise<string> {
  // From wherever this process happens to run it would be another folder on each start.
  if (!isAbsolute(path)) {
    const advice = 'Give its whole path, from the root of the disk.';
    throw new AndironError('workspace_invalid', `${path} is not an absolute path.`, advice);
  }
  try {
    const real = await files.realPath(path);
    if (real !== null && (await files.stat(real))?.kind === 'folder') return real;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = 'Check that you may read it, or choose another folder.';
    throw new AndironError('workspace_invalid', `The folder ${path} cannot be used: ${reason}.`, advice, {
      cause: error,
    });
  }
  throw new AndironError('workspace_invalid', `There is no folder ${path}.`, 'Choose a folder that exists.');
}
