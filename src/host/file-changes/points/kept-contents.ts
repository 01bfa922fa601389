/** Contents of files as they were, by their fingerprints: what a way back is made of. */
import { join } from 'node:path';
import { hasCode, type FileStat, type Files } from '../../../platform/files.ts';
import { fingerprint } from '../../tools/read-ledger.ts';
import { maxKeptFileBytes } from '../look.ts';

/** Of all folders and sessions. */
const maxKeptBytes = 2 * 1024 ** 3;

export type KeptContents = ReturnType<typeof createKeptContents>;

/** @param folder its own: whatever in it is not wanted is removed */
export function createKeptContents(folder: string, files: Files) {
  const folderOf = (hash: string): string => join(folder, hash.slice(0, 2));
  const made = new Set<string>();
  const pathOf = (hash: string): string => join(folderOf(hash), hash);

  return {
    /** Rejects where the disk does. What a crash cuts off does not have its fingerprint and is never given back. */
    async keep(hash: string, bytes: Uint8Array): Promise<void> {
      const path = pathOf(hash);
      const there = await files.lstat(path);
      if (there?.size === bytes.length) return;
      if (there) await files.remove(path);
      if (!made.has(folderOf(hash))) await files.makeFolder(folderOf(hash));
      made.add(folderOf(hash));
      const file = await files.createFile(path).catch((error: unknown) => {
        // Another folder has the same file, at this very moment.
        if (hasCode(error, 'EEXIST')) return null;
        throw error;
      });
      if (!file) return;
      try {
        await file.append(bytes);
      } finally {
        await file.close();
      }
    },
    /** null = it was not kept, or is not what it was. */
    async read(hash: string): Promise<Uint8Array | null> {
      const bytes = await files.readBytes(pathOf(hash), maxKeptFileBytes).catch(() => null);
      return bytes !== null && fingerprint(bytes) === hash ? bytes : null;
    },
    /** Removes all others, and of these the oldest that are too much: what they were cannot be had back then. */
    async tidy(isWanted: (hash: string) => boolean, maxBytes = maxKeptBytes): Promise<void> {
      const kept: { path: string; stat: FileStat }[] = [];
      for (const { name } of await files.readFolder(folder).catch(() => [])) {
        for (const { name: hash } of await files.readFolder(join(folder, name)).catch(() => [])) {
          const path = join(folder, name, hash);
          const stat = await files.lstat(path);
          if (stat && isWanted(hash)) kept.push({ path, stat });
          else await files.remove(path);
        }
      }
      let bytes = kept.reduce((sum, { stat }) => sum + stat.size, 0);
      for (const { path, stat } of kept.toSorted((a, b) => a.stat.modifiedMs - b.stat.modifiedMs)) {
        if (bytes <= maxBytes) break;
        await files.remove(path);
        bytes -= stat.size;
      }
    },
  };
}
