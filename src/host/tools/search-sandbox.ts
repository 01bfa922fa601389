/** What the search program may reach: it reads the folder of a session, or what was named, and changes nothing. */
import { dirname, join } from 'node:path';
import type { ReadableFiles } from '../../platform/files.ts';
import type { KeptStart, Sandbox, SandboxStart } from '../../platform/sandbox/sandbox.ts';
import { isBeneath } from '../../rules/path-names.ts';

/**
 * @param start its `cwd` is the session's folder, by its real path
 * @param named the real path of a file or folder elsewhere that is searched in its place
 * Rejects where the sandbox does: nothing is searched without it then.
 */
export type KeepSearch = (
  start: Pick<SandboxStart, 'file' | 'args' | 'cwd'>,
  named?: string,
) => Promise<KeptStart>;

export interface SearchSandboxDeps {
  sandbox: Sandbox;
  files: Pick<ReadableFiles, 'stat' | 'realPath'>;
  /** Andiron's own data, in every spelling. */
  dataDirs: readonly string[];
  /** The person's home, in every spelling. */
  homeDirs: readonly string[];
}

/** In a folder above, they say what is left out of the folder below. */
const ignoreFiles = ['.gitignore', '.ignore', '.rgignore', '.git/info/exclude'];
/** Of the person, for all folders. */
const gitSettings = ['.gitconfig', '.config/git/config', '.config/git/ignore'];

/** undefined = there is no sandbox: the search program is Andiron's own, and runs as it is. */
export function createSearchSandbox(deps: SearchSandboxDeps): KeepSearch | undefined {
  const { sandbox, files, dataDirs, homeDirs } = deps;
  if (sandbox.status.kind === 'none') return undefined;
  return async (start, named) => {
    const { cwd, file } = start;
    const isRead = (folder: string): boolean => isBeneath(cwd, folder);
    const rules = [
      ...foldersAround(cwd).flatMap((folder) => ignoreFiles.map((name) => join(folder, name))),
      ...homeDirs.flatMap((home) => gitSettings.map((name) => join(home, name))),
    ].filter((path) => !isRead(path));
    const found = await Promise.all(rules.map((path) => realFile(path, files)));
    return sandbox.keep(start, {
      hidden: dataDirs.filter((folder) => !isRead(folder)),
      writable: [],
      readOnly: [cwd],
      masked: dataDirs.filter(isRead).map((path) => ({ path, isFolder: true })),
      readable: [dirname(file), ...(named === undefined ? [] : [named]), ...found.flat()],
      proxy: null,
    });
  };
}

function foldersAround(folder: string): string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAround(above)];
}

/** A link is shown where it leads, and nothing is mounted over what it leads through. */
async function realFile(path: string, files: SearchSandboxDeps['files']): Promise<string[]> {
  const real = await files.realPath(path).catch(() => null);
  if (real !== path) return [];
  return (await files.stat(path).catch(() => null))?.kind === 'file' ? [path] : [];
}
