/** Which files belong to a collection now. Only looked at, never opened. */
import { basename, join } from 'node:path';
import { yieldToOthers } from '../../platform/event-loop.ts';
import type { FileStat, ReadableFiles } from '../../platform/files.ts';
import { maxCollectionFiles, type CollectionPlace } from '../../protocol/collection-methods.ts';
import { protectionOf, type ProtectedRoots } from '../../rules/protected-paths.ts';

export interface ListPlaceDeps {
  files: Pick<ReadableFiles, 'lstat' | 'realPath'>;
  /**
   * Of a folder by its real path: from there on, with `/`; what is hidden or ignored is left out. `problem`: why there may be
   * more, in words.
   */
  listFolder: (folder: string) => Promise<{ paths: readonly string[]; problem: string | null }>;
  /** What no collection holds. */
  roots: ProtectedRoots;
}

export interface PlacedFile {
  /** From the collection's folder on; of single files the name. */
  path: string;
  real: string;
  stat: FileStat;
}

export interface ListedPlace {
  files: PlacedFile[];
  /** Beyond the most that a collection holds. */
  leftOut: number;
  /** Why there may be more files than these, in words; null = there are not. */
  problem: string | null;
}

/** So many at a time, and then whoever else waits. */
const atATime = 200;

/** null = its folder is not there. Rejects where it cannot be listed. */
export async function listPlace(place: CollectionPlace, deps: ListPlaceDeps): Promise<ListedPlace | null> {
  const named =
    place.folder === null ? await singleFiles(place.files, deps) : await inFolder(place.folder, deps);
  if (named === null) return null;
  const { root, paths } = named;
  let { problem } = named;
  const files: PlacedFile[] = [];
  for (let at = 0; at < Math.min(paths.length, maxCollectionFiles); at += atATime) {
    const some = paths.slice(at, Math.min(at + atATime, maxCollectionFiles));
    const looked = await Promise.all(some.map(({ path, real }) => placed(path, real, root, deps)));
    if (looked.includes('unknown')) problem ??= 'Some of its files cannot be looked at.';
    files.push(...looked.filter((file) => file !== null && file !== 'unknown'));
    await yieldToOthers();
  }
  return { files, leftOut: Math.max(0, paths.length - maxCollectionFiles), problem };
}

interface NamedFiles {
  /** Real path of the folder that the person chose; of single files null. */
  root: string | null;
  paths: { path: string; real: string }[];
  problem: string | null;
}

async function inFolder(folder: string, { files, listFolder }: ListPlaceDeps): Promise<NamedFiles | null> {
  const root = await files.realPath(folder);
  if (root === null) return null;
  // The same order each time, so that it is the same files that find no room.
  const { paths, problem } = await listFolder(root);
  return { root, paths: paths.toSorted().map((path) => ({ path, real: join(root, path) })), problem };
}

/** Two of one name are told apart by their whole paths. */
async function singleFiles(chosen: readonly string[], { files }: ListPlaceDeps): Promise<NamedFiles> {
  const names = chosen.map((path) => basename(path));
  const paths = await Promise.all(
    chosen.map(async (path, at) => {
      const name = names[at] ?? path;
      const isAlone = names.indexOf(name) === names.lastIndexOf(name);
      return { path: isAlone ? name : path, real: await files.realPath(path) };
    }),
  );
  const there = paths.flatMap(({ path, real }) => (real === null ? [] : [{ path, real }]));
  return { root: null, paths: there, problem: null };
}

/** null = it is no file of the collection; `unknown` = the disk does not tell. */
async function placed(
  path: string,
  real: string,
  root: string | null,
  { files, roots }: ListPlaceDeps,
): Promise<PlacedFile | 'unknown' | null> {
  if (protectionOf({ path: real, workspace: root ?? real }, 'read', roots)) return null;
  const stat = await files.lstat(real).catch(() => 'unknown' as const);
  if (stat === 'unknown') return stat;
  return stat?.kind === 'file' ? { path, real, stat } : null;
}

/** Another one as soon as anything of the file changes. */
export const stateOf = ({ identity, size, modifiedMs, changedMs }: FileStat): string =>
  [identity, size, modifiedMs, changedMs].join(' ');
