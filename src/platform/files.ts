/**
 * The file system as an edge that is handed in. Contents are read and written only by *real* paths: whoever was
 * given a path by a model resolves it first (`realPath`), and a link put in its place afterwards is refused (design 8).
 */
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, realpath, rename, rm, stat, unlink } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { randomId } from './clock.ts';
import { watchFolder } from './watch-folder.ts';
import type { FolderWatch } from './watch-folder.ts';

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStat {
  kind: EntryKind;
  /** Bytes. */
  size: number;
  modifiedMs: number;
  /** Permission bits. */
  mode: number;
  /** The same file as another stat with the same identity, whatever its path. */
  identity: string;
}

export interface FolderEntry {
  name: string;
  kind: EntryKind;
}

export interface WriteOptions {
  /** Permission bits of a new file; undefined = the platform's default. */
  mode?: number | undefined;
  /** What must stand there at the moment of the write: this very state, or nothing (null). undefined = anything. */
  expect?: FileStat | null | undefined;
}

/** Absent paths give null where null is offered; everything else rejects with Node's error or FileRefusedError. */
export interface Files {
  /** Follows links; a broken link is null. */
  stat(path: string): Promise<FileStat | null>;
  /** The entry itself: a link is a link. */
  lstat(path: string): Promise<FileStat | null>;
  realPath(path: string): Promise<string | null>;
  readFolder(path: string): Promise<FolderEntry[]>;
  /** Bytes of a regular file, never more than `limit` (`too_large`). */
  readBytes(path: string, limit: number): Promise<Uint8Array>;
  /** The same in pieces, for files of any size. */
  readChunks(path: string): AsyncIterable<Uint8Array>;
  /** Writes beside the target and renames into place: readers see the old file or the new one. Links are not followed. */
  writeAtomic(path: string, content: string | Uint8Array, options?: WriteOptions): Promise<void>;
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

/** `link`: a link stands where a real path was promised. `changed`: another state than `expect`. */
export type FileRefusal = 'link' | 'changed' | 'not_a_file' | 'too_large';

const refusals: Record<FileRefusal, string> = {
  link: 'is reached through a link',
  changed: 'has changed in this very moment',
  not_a_file: 'is not a regular file',
  too_large: 'is too large',
};

export class FileRefusedError extends Error {
  readonly refusal: FileRefusal;
  readonly path: string;

  constructor(refusal: FileRefusal, path: string) {
    super(`${path} ${refusals[refusal]}`);
    this.name = 'FileRefusedError';
    this.refusal = refusal;
    this.path = path;
  }
}

const chunkBytes = 64 * 1024;
// Windows has neither: there the check after opening stands alone. A pipe must not block the opening.
const safeFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

export const systemFiles: Files = {
  stat: (path) => absentAsNull(async () => toStat(await stat(path, { bigint: true }))),
  lstat: (path) => absentAsNull(async () => toStat(await lstat(path, { bigint: true }))),
  realPath: (path) => absentAsNull(() => realpath(path)),
  async readFolder(path) {
    const entries = await readdir(path, { withFileTypes: true });
    return entries.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
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
  async *readChunks(path) {
    await using file = await openForReading(path);
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes);
      if (bytesRead === 0) return;
      yield buffer.subarray(0, bytesRead);
    }
  },
  writeAtomic,
  async makeFolder(path) {
    await mkdir(path, { recursive: true });
  },
  async remove(path) {
    await absentAsNull(() => unlink(path));
  },
  removeFolder: (path) => rm(path, { recursive: true, force: true }),
  async move(from, to) {
    // Renaming would replace an empty folder in silence.
    if ((await systemFiles.lstat(to)) !== null) throw new Error(`${to} is there already`);
    await rename(from, to);
  },
  watch: watchFolder,
};

/** Where a file is written before it is moved into its place. */
export const draftFor = (path: string): string => join(dirname(path), `${randomId('.andiron-')}.tmp`);
const draftName = /^\.andiron-[0-9a-f]{12}\.tmp$/;

/** What a process left in a folder that died while it wrote there; nothing happens where there is none. */
export async function removeDrafts(
  files: Pick<Files, 'readFolder' | 'remove'>,
  folder: string,
): Promise<void> {
  for (const { name, kind } of await files.readFolder(folder)) {
    if (kind === 'file' && draftName.test(name)) await files.remove(join(folder, name));
  }
}

async function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
): Promise<void> {
  const draft = draftFor(path);
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safeFlags;
  const file = await open(draft, flags, options.mode);
  try {
    try {
      await assertStandsAt(file, draft);
      await file.writeFile(content);
      if (options.mode !== undefined) await file.chmod(options.mode);
      await file.sync();
    } finally {
      await file.close();
    }
    await assertReplaceable(path, options.expect);
    await rename(draft, path);
  } catch (error) {
    await absentAsNull(() => unlink(draft));
    throw error;
  }
}

async function assertReplaceable(path: string, expect: FileStat | null | undefined): Promise<void> {
  const present = await systemFiles.lstat(path);
  if (present?.kind === 'link') throw new FileRefusedError('link', path);
  if (present && present.kind !== 'file') throw new FileRefusedError('not_a_file', path);
  if (expect === undefined) return;
  const same =
    present === null || expect === null
      ? present === expect
      : present.identity === expect.identity &&
        present.size === expect.size &&
        present.modifiedMs === expect.modifiedMs;
  if (!same) throw new FileRefusedError('changed', path);
}

async function openForReading(path: string): Promise<FileHandle> {
  let file: FileHandle;
  try {
    file = await open(path, constants.O_RDONLY | safeFlags);
  } catch (error) {
    throw hasCode(error, 'ELOOP') ? new FileRefusedError('link', path) : error;
  }
  try {
    await assertStandsAt(file, path);
    if (!(await file.stat()).isFile()) throw new FileRefusedError('not_a_file', path);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** What was opened stands at exactly this path, with no link on the way: also not one put there a moment ago. */
async function assertStandsAt(file: FileHandle, path: string): Promise<void> {
  const [real, there, opened] = [
    await realpath(path),
    await lstat(path, { bigint: true }),
    await file.stat({ bigint: true }),
  ];
  // A Mac stores names in another Unicode form than they were given; elsewhere the two forms are two files.
  const samePath =
    real === path || (process.platform === 'darwin' && real.normalize('NFC') === path.normalize('NFC'));
  if (!samePath || there.ino !== opened.ino || there.dev !== opened.dev)
    throw new FileRefusedError('link', path);
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

function kindOf(entry: Kinds): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

interface BigStat extends Kinds {
  size: bigint;
  mtimeNs: bigint;
  mode: bigint;
  dev: bigint;
  ino: bigint;
}

function toStat(found: BigStat): FileStat {
  return {
    kind: kindOf(found),
    size: Number(found.size),
    modifiedMs: Number(found.mtimeNs) / 1e6,
    mode: Number(found.mode & 0o7777n),
    identity: `${String(found.dev)}:${String(found.ino)}`,
  };
}

async function absentAsNull<T>(read: () => Promise<T>): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    // ENOTDIR: a file stands where a parent folder was named. ELOOP: a link that leads to itself.
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR') || hasCode(error, 'ELOOP')) return null;
    throw error;
  }
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
