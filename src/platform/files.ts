/**
 * The file system as an edge that is handed in. Contents are read and written only by *real* paths: whoever was
 * given a path by a model resolves it first (`realPath`), and a link put in its place afterwards is refused.
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { absentAsNull, FileRefusedError, hasCode } from './file-errors.ts';
import { kindOf, toStat, type EntryKind, type FileStat } from './file-stat.ts';
import { holdFolder, withPath, type HeldFolder } from './held-folder.ts';
import { renameOver } from './rename-over.ts';
import { watchFolder, type FolderWatch } from './watch-folder.ts';
import { draftName, newDraftName, safeFlags, writeAtomic, type WriteOptions } from './write-atomic.ts';

export { FileRefusedError, hasCode, type FileRefusal } from './file-errors.ts';
export type { FileStat } from './file-stat.ts';
export interface FolderEntry {
  name: string;
  kind: EntryKind;
}

/** Absent paths give null where null is offered; everything else rejects with Node's error or FileRefusedError. */
export interface ReadableFiles {
  /** Follows links; a broken link is null. */
  stat(path: string): Promise<FileStat | null>;
  /** The entry itself: a link is a link. */
  lstat(path: string): Promise<FileStat | null>;
  realPath(path: string): Promise<string | null>;
  readFolder(path: string): Promise<FolderEntry[]>;
  /** The same by a real path: no link is followed. */
  readRealFolder(path: string): Promise<FolderEntry[]>;
  /** Bytes of a regular file, never more than `limit` (`too_large`). */
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  /**
   * The same in pieces, for files of any size. Into `buffer` where it is given: then a piece is there until the next one is
   * asked for.
   */
  readChunks(path: string, buffer?: Uint8Array): AsyncIterable<Uint8Array>;
}

/** Reads files and puts new content in their place. */
export interface EditableFiles extends ReadableFiles {
  /**
   * Writes beside the target and renames into place: readers see the old file or the new one. Links are not followed.
   * The file keeps its owner. Where that is another user, or hard links are kept, it is overwritten once the content has
   * proved to fit on the disk, and gets its old content back when that fails.
   */
  writeAtomic(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
}

export interface Files extends EditableFiles {
  /** Makes a file that is written piece by piece, readable by its owner alone. Rejects where something is at the path. */
  createFile(path: string): Promise<FileWriter>;
  /** With its parents; nothing happens where it exists. */
  makeFolder(path: string): Promise<void>;
  /** A file or a link; nothing happens where there is none. */
  remove(path: string): Promise<void>;
  /** With all that is in it. Links go, what they lead to stays; nothing happens where there is none. */
  removeFolder(path: string): Promise<void>;
  /** A file, folder or link as it is, on the same disk. Rejects where something stands. */
  move(from: string, to: string): Promise<void>;
  /** Tells that something may have changed in the folder or in the folders directly in it. */
  watch(path: string, onChange: () => void, onError: (error: unknown) => void): FolderWatch;
}

export interface FileWriter {
  /** At the end of what was written before. */
  append(bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const chunkBytes = 64 * 1024;

export const systemFiles: Files = {
  stat: (path) => absentAsNull(async () => toStat(await stat(path, { bigint: true }))),
  lstat: (path) => absentAsNull(async () => toStat(await lstat(path, { bigint: true }))),
  realPath: (path) => absentAsNull(() => realpath(path)),
  readFolder: listFolder,
  async readRealFolder(path) {
    await using folder = await holdFolder(path);
    const entries = await withPath(path, () => listFolder(folder.at('.')));
    await folder.assertInPlace();
    return entries;
  },
  async readBytes(path, limit) {
    const chunks: Uint8Array[] = [];
    let length = 0;
    for await (const chunk of systemFiles.readChunks(path)) {
      length += chunk.length;
      if (length > limit) throw new FileRefusedError('too_large', path);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks, length);
  },
  async *readChunks(path, buffer) {
    await using folder = await holdFolder(dirname(path));
    await using file = await openForReading(folder, path);
    for (;;) {
      const into = buffer ?? Buffer.alloc(chunkBytes);
      const { bytesRead } = await file.read(into, 0, into.length);
      if (bytesRead === 0) return;
      yield into.subarray(0, bytesRead);
    }
  },
  writeAtomic: (path, content, options) => writeAtomic(path, content, options),
  async createFile(path) {
    await using folder = await holdFolder(dirname(path));
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safeFlags;
    const file = await withPath(path, () => open(folder.at(basename(path)), flags, 0o600));
    return {
      append: (bytes) => file.appendFile(bytes),
      close: () => file.close(),
    };
  },
  async makeFolder(path) {
    await mkdir(path, { recursive: true });
  },
  async remove(path) {
    await absentAsNull(async () => {
      await using folder = await holdFolder(dirname(path));
      await folder.assertInPlace();
      await withPath(path, () => unlink(folder.at(basename(path))));
    });
  },
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
  async move(from, to) {
    await renameOver(from, to, async () => {
      // Renaming would replace an empty folder in silence.
      if ((await systemFiles.lstat(to)) !== null) throw new Error(`${to} is there already`);
    });
  },
  watch: watchFolder,
};

/** Where a file is written before it is moved into its place. */
export const draftFor = (path: string): string => join(dirname(path), newDraftName());

/** What a process left in a folder that died while it wrote there; nothing happens where there is none. */
export async function removeDrafts(
  files: Pick<Files, 'readRealFolder' | 'remove'>,
  folder: string,
): Promise<void> {
  for (const { name, kind } of await files.readRealFolder(folder)) {
    if (kind === 'file' && draftName.test(name)) await files.remove(join(folder, name));
  }
}

async function listFolder(path: string): Promise<FolderEntry[]> {
  const entries = await readdir(path, { withFileTypes: true });
  return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
}

async function openForReading(folder: HeldFolder, path: string): Promise<FileHandle> {
  const named = folder.at(basename(path));
  let file: FileHandle;
  try {
    file = await withPath(path, () => open(named, constants.O_RDONLY | safeFlags));
  } catch (error) {
    throw hasCode(error, 'ELOOP') ? new FileRefusedError('link', path) : error;
  }
  try {
    await folder.assertInPlace();
    const [opened, there] = [await file.stat({ bigint: true }), await lstat(named, { bigint: true })];
    // Where O_NOFOLLOW is missing a link was followed.
    if (there.ino !== opened.ino || there.dev !== opened.dev) throw new FileRefusedError('link', path);
    if (!opened.isFile()) throw new FileRefusedError('not_a_file', path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
