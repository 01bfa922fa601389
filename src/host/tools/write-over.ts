/** Puts content in the place of a file that was seen, with all of its names where that is the workspace's own affair. */
import { dirname, join } from 'node:path';
import type { EditableFiles, ReadableFiles, FileStat } from '../../platform/files.ts';

export interface WriteOver {
  /** Real path. */
  workspace: string;
  path: string;
  content: string | Uint8Array;
  /** What stands there; null = nothing. */
  stat: FileStat | null;
  /** Permissions of a new file. */
  mode?: number | null | undefined;
  /** False = its other names (hard links) keep what they have, wherever they are. */
  keepsLinks?: boolean;
}

/** Sentences about what else changed; mostly none. Rejects as `Files.writeAtomic` does. */
export async function writeOver(
  files: EditableFiles,
  { workspace, path, content, stat, mode, keepsLinks: mayKeep = true }: WriteOver,
): Promise<string[]> {
  const keepsLinks =
    mayKeep && stat !== null && stat.links > 1 && (await areNamesInside(files, workspace, path, stat));
  await files.writeAtomic(path, content, {
    expect: stat,
    mode: stat?.mode ?? mode ?? undefined,
    keepsLinks,
    makesFolders: stat === null,
  });
  if (stat === null) return [];
  return [
    ...(stat.links > 1 && !keepsLinks
      ? [
          'Other names of this file (hard links) were not all found in the workspace and keep the old content.',
        ]
      : []),
    ...((stat.mode & setIds) === 0
      ? []
      : ['It runs with the rights of whoever starts it now: setuid and setgid were removed.']),
  ];
}

const setIds = 0o6000;
/** Looking for names takes a call each. */
const maxEntries = 10_000;

/** Whether all names of the file lie in the workspace. Nearby folders come first; in a huge workspace it gives up. */
async function areNamesInside(
  files: ReadableFiles,
  workspace: string,
  path: string,
  { identity, links }: FileStat,
): Promise<boolean> {
  const names = new Set<string>();
  const seen = new Set<string>();
  const folders = [dirname(path), workspace];
  let left = maxEntries;
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    // What cannot be read may hold a name.
    for (const { name, kind } of await files.readRealFolder(folder).catch(() => [])) {
      const entry = join(folder, name);
      if (kind === 'folder') folders.push(entry);
      if (kind === 'file' && (await files.lstat(entry))?.identity === identity) names.add(entry);
      left -= 1;
      if (names.size === links) return true;
      if (left === 0) return false;
    }
  }
  return false;
}
