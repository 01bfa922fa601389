/** What lies in a workspace, in short: for a grammar that lets a model name only what exists. */
import nodePath from 'node:path';
import type { ReadableFiles, FolderEntry } from '../../platform/files.ts';
import type { PathGuard } from './path-guard.ts';

const maxEntries = 200;
const maxDepth = 3;
/** Nobody means what is in them. */
const skipped: ReadonlySet<string> = new Set(['.git', 'node_modules']);

/** Relative, with `/`; a folder ends with it. Shallow entries first, cut at 200. What cannot be read is left out. */
export async function workspaceEntries(
  files: ReadableFiles,
  { isLeftOut }: Pick<PathGuard, 'isLeftOut'>,
  workspace: string,
): Promise<string[]> {
  const found: string[] = [];
  let folders = [''];
  for (let depth = 1; depth <= maxDepth && folders.length > 0; depth += 1) {
    const below: string[] = [];
    for (const folder of folders) {
      if (found.length >= maxEntries) return found.slice(0, maxEntries);
      for (const { name, kind } of await readFolder(files, nodePath.join(workspace, folder))) {
        if (kind === 'file') found.push(folder + name);
        if (kind !== 'folder' || skipped.has(name)) continue;
        found.push(`${folder}${name}/`);
        // It may be named; what is in it is told after a question.
        if (isLeftOut(nodePath.join(workspace, folder, name), workspace)) continue;
        below.push(`${folder}${name}/`);
      }
    }
    folders = below;
  }
  return found.slice(0, maxEntries);
}

async function readFolder(files: ReadableFiles, path: string): Promise<FolderEntry[]> {
  try {
    return (await files.readRealFolder(path)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    // Without permission, or gone in this very moment: it only cannot be named.
    return [];
  }
}
