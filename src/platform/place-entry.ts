/** What is no file is put in its place here: links, folders and permissions, where they really are. */
import { constants } from 'node:fs';
import { chmod, lstat, mkdir, open, readlink, rmdir, symlink, unlink } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { absentAsNull, FileRefusedError, hasCode } from './file-errors.ts';
import { holdFolder, withPath } from './held-folder.ts';
import { newDraftName, safeFlags } from './write-atomic.ts';
import { renameOver } from './rename-over.ts';

/** Everything by real paths; rejects with FileRefusedError where a link is part of the path. */
export interface EntryPlaces {
  /** Where the link leads, as it is written in it; null = no link stands there. */
  readLink(path: string): Promise<string | null>;
  /** In the place of a file, a link or nothing, in one move; folders on the way are made. */
  placeLink(path: string, target: string): Promise<void>;
  /** With the folders on the way; rejects where something else stands there. */
  placeFolder(path: string, mode: number): Promise<void>;
  /** Rejects where something is in it. */
  removeEmptyFolder(path: string): Promise<void>;
  /** Of a file or folder, never of what a link leads to. */
  setMode(path: string, mode: number): Promise<void>;
}

const plainMode = 0o777;

export const systemEntryPlaces: EntryPlaces = {
  async readLink(path) {
    const stat = await absentAsNull(() => lstat(path));
    return stat?.isSymbolicLink() ? readlink(path) : null;
  },
  async placeLink(path, target) {
    await using folder = await holdFolder(dirname(path), {});
    const draft = folder.at(newDraftName());
    await withPath(path, async () => {
      await symlink(target, draft);
      try {
        await renameOver(draft, folder.at(basename(path)), () => folder.assertInPlace());
      } catch (error) {
        await absentAsNull(() => unlink(draft));
        throw error;
      }
    });
  },
  async placeFolder(path, mode) {
    await using folder = await holdFolder(dirname(path), {});
    const named = folder.at(basename(path));
    await withPath(path, () => mkdir(named));
    await systemEntryPlaces.setMode(path, mode);
  },
  async removeEmptyFolder(path) {
    await using folder = await holdFolder(dirname(path));
    await withPath(path, () => rmdir(folder.at(basename(path))));
  },
  async setMode(path, mode) {
    if (process.platform === 'win32') return;
    await using folder = await holdFolder(dirname(path));
    const named = folder.at(basename(path));
    await withPath(path, async () => {
      await folder.assertInPlace();
      const stat = await lstat(named);
      if (!stat.isFile() && !stat.isDirectory()) throw new FileRefusedError('not_a_file', path);
      // Opened where it may be read: then it is no link, whatever is put in its place meanwhile.
      await using entry = await open(named, constants.O_RDONLY | safeFlags).catch((error: unknown) => {
        if (hasCode(error, 'EACCES')) return null;
        throw error;
      });
      // What ran with the rights of its owner does so no more once it was changed.
      await (entry ? entry.chmod(mode & plainMode) : chmod(named, mode & plainMode));
    });
  },
};
