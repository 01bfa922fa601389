/** How a file is replaced: whole, where it really is, and without giving anybody a right that they did not have. */
import { constants, type BigIntStats } from 'node:fs';
import { lstat, open, unlink, type FileHandle } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { randomId } from './clock.ts';
import { absentAsNull, FileRefusedError, hasCode } from './file-errors.ts';
import { kindOf, toStat, type FileStat } from './file-stat.ts';
import { holdFolder, withPath, type HeldFolder } from './held-folder.ts';
import { renameOver, type RenameEdges } from './rename-over.ts';

export interface WriteOptions {
  /** Permissions; undefined = the platform's default. Whatever is asked, what is written runs as nobody else. */
  mode?: number | undefined;
  /** All names of a file with hard links get the content; else they keep the old one. Not in one move: see writeAtomic. */
  keepsLinks?: boolean | undefined;
  /** Makes the folders on the way that are missing. */
  makesFolders?: boolean | undefined;
  /** Permissions of folders that are made; undefined = the platform's default. */
  folderMode?: number | undefined;
  /** What must stand there at the moment of the write: this very state, or nothing (null). undefined = anything. */
  expect?: FileStat | null | undefined;
}

/** Beside the file that it becomes. A draft that is left over is known by its name. */
export const newDraftName = (): string => `${randomId('.andiron-')}.tmp`;
export const draftName = /^\.andiron-[0-9a-f]{12}\.tmp$/;

// Windows has neither: there the check after opening stands alone. A pipe must not block the opening.
export const safeFlags = (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Permissions that are about reading and writing: a program that ran as its owner does so no more once it was changed. */
const plainMode = 0o777;
const anyWrite = 0o222n;

/** @param renames how a file takes the place of another; the system's unless given */
export async function writeAtomic(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions = {},
  renames?: RenameEdges,
): Promise<void> {
  const made = options.makesFolders && { mode: options.folderMode };
  await using folder = await holdFolder(dirname(path), made);
  await withPath(path, () => replaceIn(folder, path, content, options, renames));
}

async function replaceIn(
  folder: HeldFolder,
  path: string,
  content: string | Uint8Array,
  { mode, expect, keepsLinks = false }: WriteOptions,
  renames: RenameEdges | undefined,
): Promise<void> {
  const target = folder.at(basename(path));
  const draft = folder.at(newDraftName());
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | safeFlags;
  const plain = mode === undefined ? undefined : mode & plainMode;
  const file = await open(draft, flags, plain);
  try {
    let present: BigIntStats | null;
    let hasOwner: boolean;
    try {
      await folder.assertInPlace();
      await file.writeFile(content);
      present = await lookAt(target);
      hasOwner = present === null || (await giveTo(file, present));
      if (plain !== undefined) await file.chmod(plain);
      await file.sync();
    } finally {
      await file.close();
    }
    const check = async (): Promise<void> => {
      assertReplaceable(path, await lookAt(target), expect, renames?.platform);
      await folder.assertInPlace();
    };
    await check();
    if (present !== null && (keepsLinks || !hasOwner)) {
      await overwrite(target, present, content);
      await unlink(draft);
    } else await renameOver(draft, target, check, renames);
  } catch (error) {
    await absentAsNull(() => unlink(draft));
    throw error;
  }
}

const lookAt = (path: string): Promise<BigIntStats | null> =>
  absentAsNull(() => lstat(path, { bigint: true }));

/** False where only the owner could give it away. */
async function giveTo(file: FileHandle, { uid, gid }: BigIntStats): Promise<boolean> {
  const own = await file.stat({ bigint: true });
  if (own.uid === uid && own.gid === gid) return true;
  try {
    await file.chown(Number(uid), Number(gid));
    return true;
  } catch (error) {
    if (hasCode(error, 'EPERM') || hasCode(error, 'EINVAL')) return false;
    throw error;
  }
}

/** Not in one move: whoever reads meanwhile may see both. What stood there is put back when the rest cannot be written. */
async function overwrite(target: string, present: BigIntStats, content: string | Uint8Array): Promise<void> {
  await using file = await open(target, constants.O_RDWR | safeFlags);
  const opened = await file.stat({ bigint: true });
  if (opened.ino !== present.ino || opened.dev !== present.dev) throw new FileRefusedError('changed', target);
  const before = await file.readFile();
  try {
    await fill(file, Buffer.from(content));
  } catch (error) {
    await fill(file, before).catch(() => undefined);
    throw error;
  }
  const mode = Number(present.mode & 0o7777n);
  if ((mode & ~plainMode) !== 0) await file.chmod(mode & plainMode);
}

async function fill(file: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;)
    at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
  await file.truncate(bytes.length);
  await file.sync();
}

function assertReplaceable(
  path: string,
  present: BigIntStats | null,
  expect: FileStat | null | undefined,
  platform: string = process.platform,
): void {
  const kind = present && kindOf(present);
  if (kind === 'link') throw new FileRefusedError('link', path);
  if (kind !== null && kind !== 'file') throw new FileRefusedError('not_a_file', path);
  // Elsewhere that is a matter of the folder; Windows would refuse the move, in words about permission.
  if (platform === 'win32' && present && (present.mode & anyWrite) === 0n)
    throw new FileRefusedError('read_only', path);
  if (expect === undefined) return;
  const there = present && toStat(present);
  const same =
    there === null || expect === null
      ? there === expect
      : there.identity === expect.identity &&
        there.size === expect.size &&
        there.modifiedMs === expect.modifiedMs;
  if (!same) throw new FileRefusedError('changed', path);
}
