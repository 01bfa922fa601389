/** The folders that the person works in: what tools may reach there, what they changed, and what a message may name. */
import { isAbsolute, join } from 'node:path';
import type { ReadableFiles } from '../platform/files.ts';
import { noSandbox, type Sandbox } from '../platform/sandbox/sandbox.ts';
import { ownWorkspaces } from '../platform/own-workspaces.ts';
import { filesWithUmask } from '../platform/umask-files.ts';
import { AndironError } from '../protocol/errors.ts';
import { createWorkspaceFiles } from './attachments/workspace-files.ts';
import { FileChanges, type FileChangesDeps } from './file-changes/file-changes.ts';
import { fileSeen, textSeen } from './planning/evidence.ts';
import { renderTodo, setStatus, setSteps, summarizeTodo } from './planning/todo-list.ts';
import type { ProtectedRoots } from '../rules/protected-paths.ts';
import { commandEnvironment } from './tools/command-environment.ts';
import { createCommandSandbox } from './tools/command-sandbox.ts';
import { lookAtFile } from './tools/look-at-file.ts';
import { createPathGuard } from './tools/path-guard.ts';
import { createReadLedger } from './tools/read-ledger.ts';
import { createToolRegistry, type ToolRegistryDeps } from './tools/registry.ts';
import { workspaceEntries } from './tools/workspace-entries.ts';

export interface WorkspacesDeps
  extends
    Omit<FileChangesDeps, 'maxKeptContent'>,
    Pick<ToolRegistryDeps, 'files' | 'processes' | 'ripgrepPath' | 'platform' | 'memory'> {
  /** What new files do without; undefined = as this process. */
  umask?: number | undefined;
  dataDir: string;
  self?: { homeDir: string | null };
  /** What commands are kept in; nothing unless given. */
  sandbox?: Promise<Sandbox>;
}

/** Resolves when what a host that died left half written is settled. */
export async function openWorkspaces(deps: WorkspacesDeps) {
  const { files, umask, processes } = deps;
  const ofPerson = umask === undefined ? files : filesWithUmask(files, umask);
  const fileChanges = new FileChanges({ ...deps, files: ofPerson });
  await fileChanges.recover();
  const own = await ownFolders(files, deps.dataDir, deps.self?.homeDir ?? null);
  const guard = createPathGuard(files, own);
  const sandbox = (await deps.sandbox) ?? noSandbox('system');
  const readLedger = createReadLedger();
  const resolve = (path: string): Promise<string> => resolveWorkspace(files, path);
  return {
    sandboxStatus: sandbox.status,
    fileChanges,
    readLedger,
    resolveWorkspace: resolve,
    tools: createToolRegistry({
      files: ofPerson,
      guard,
      processes,
      ripgrepPath: deps.ripgrepPath,
      platform: deps.platform,
      sandbox: createCommandSandbox({ sandbox, files, ...own, environment: processes.environment }),
      todo: { setSteps, setStatus, renderTodo, summarizeTodo },
      memory: deps.memory,
      recorder: fileChanges.recorder,
      readLedger,
    }),
    look: lookAtFile(files, guard, { fileSeen, textSeen }),
    workspaceEntries: (workspace: string) => workspaceEntries(files, guard, workspace),
    workspaceFiles: createWorkspaceFiles({
      processes,
      ripgrepPath: deps.ripgrepPath,
      environment: commandEnvironment(processes.environment),
      resolveWorkspace: resolve,
      clock: deps.clock,
    }),
  };
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
    throw new AndironError('workspace_invalid', `${path} is no whole path of a folder.`, advice);
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
