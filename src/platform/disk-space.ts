/** How much room files take, and how much is left for them. */
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Files } from './files.ts';

/** Bytes that this user may still write on the disk of a folder; null = unknown. */
export async function freeBytes(folder: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(folder);
    return bavail * bsize;
  } catch {
    return null;
  }
}

/** Bytes of a file, or of all files below a folder; links are not followed, and nothing counts as 0. */
export async function sizeOf(files: Pick<Files, 'lstat' | 'readFolder'>, path: string): Promise<number> {
  const found = await files.lstat(path);
  if (found?.kind === 'file') return found.size;
  if (found?.kind !== 'folder') return 0;
  let total = 0;
  // One after another: a folder with many thousand files must not open them all at once.
  for (const { name } of await files.readFolder(path)) total += await sizeOf(files, join(path, name));
  return total;
}
