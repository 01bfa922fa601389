/**
 * A folder that is held open while something in it is read or written. A name in it leads to the same place whatever is
 * put in the folder's place meanwhile. Linux follows no link on the way and says where what is open is; elsewhere nothing
 * reaches into an open folder, so its path is looked at before and after.
 */
import { constants, existsSync } from 'node:fs';
import { lstat, mkdir, open, readlink, realpath, type FileHandle } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { FileRefusedError, hasCode } from './file-errors.ts';

export interface HeldFolder extends AsyncDisposable {
  /** A path for the file system that reaches this name in the folder. Not for people. */
  at(name: string): string;
  /** Rejects where the folder is not at its path any more. */
  assertInPlace(): Promise<void>;
}

export interface MadeFolders {
  /** Permissions of each; undefined = the platform's default. */
  mode?: number | undefined;
}

/** Rejects with FileRefusedError where a link is part of the path. @param make folders that are missing */
export function holdFolder(path: string, make: MadeFolders | false = false): Promise<HeldFolder> {
  const wanted = resolve(path);
  const canReachInto = process.platform === 'linux' && existsSync('/proc/self/fd');
  return canReachInto ? holdByDescriptor(wanted, make) : holdByPath(wanted, make);
}

// Node has no name for it; the figure is that of all machines that Andiron is built for. It needs no right to read.
const pathOnly = 0o10000000;
const folderFlags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;

async function holdByDescriptor(path: string, make: MadeFolders | false): Promise<HeldFolder> {
  const handle = (await openAtOnce(path)) ?? (await openPartByPart(path, make));
  return {
    at: (name) => join(linkTo(handle), name),
    async assertInPlace() {
      if ((await readlink(linkTo(handle))) !== path) throw new FileRefusedError('link', path);
    },
    [Symbol.asyncDispose]: () => handle.close(),
  };
}

/** What is open says where it really is: the same path, so no link was on the way. null = each part has to be looked at. */
async function openAtOnce(path: string): Promise<FileHandle | null> {
  const handle = await open(path, folderFlags).catch(() => null);
  if (!handle) return null;
  const real = await readlink(linkTo(handle)).catch(() => null);
  if (real === path) return handle;
  await handle.close();
  return null;
}

/** Rejects at the part that is missing, a link, or no folder. */
async function openPartByPart(path: string, make: MadeFolders | false): Promise<FileHandle> {
  let handle = await open('/', folderFlags);
  let reached = '/';
  try {
    for (const name of path.split('/').filter((part) => part !== '')) {
      const parent = handle;
      reached = join(reached, name);
      handle = await withPath(reached, () => openFolder(join(linkTo(parent), name), make));
      await parent.close();
    }
    return handle;
  } catch (error) {
    await handle.close();
    throw error;
  }
}

const linkTo = ({ fd }: FileHandle): string => `/proc/self/fd/${String(fd)}`;

async function openFolder(path: string, make: MadeFolders | false): Promise<FileHandle> {
  try {
    return await open(path, folderFlags);
  } catch (error) {
    if (make && hasCode(error, 'ENOENT')) {
      await makeOne(path, make);
      return open(path, folderFlags);
    }
    // A link is no folder here, and neither is a file.
    if (hasCode(error, 'ENOTDIR') && (await lstat(path)).isSymbolicLink())
      throw new FileRefusedError('link', path);
    throw error;
  }
}

async function holdByPath(path: string, make: MadeFolders | false): Promise<HeldFolder> {
  if (make) {
    const first = await mkdir(path, { recursive: true });
    if (first !== undefined) {
      for (let made = path; made.length >= first.length; made = dirname(made)) await setMode(made, make);
    }
  }
  const identityNow = async (): Promise<string> => {
    const real = await realpath(path);
    // A Mac stores names in another Unicode form than they were given; elsewhere the two forms are two files.
    const same = process.platform === 'darwin' && real.normalize('NFC') === path.normalize('NFC');
    if (real !== path && !same) throw new FileRefusedError('link', path);
    const { dev, ino } = await lstat(path, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  };
  const identity = await identityNow();
  return {
    at: (name) => join(path, name),
    async assertInPlace() {
      if ((await identityNow()) !== identity) throw new FileRefusedError('link', path);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

/** Somebody else may make it at the same moment. */
async function makeOne(path: string, make: MadeFolders): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return;
    throw error;
  }
  await setMode(path, make);
}

/** What the mask of this process has left out. Not of a link that was put there in this very moment. */
async function setMode(path: string, { mode }: MadeFolders): Promise<void> {
  if (mode === undefined || process.platform === 'win32') return;
  await using folder = await open(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  await folder.chmod(mode);
}

/** Errors of paths within a held folder are told with the path that people know. */
export async function withPath<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FileRefusedError) throw new FileRefusedError(error.refusal, path);
    if (error instanceof Error)
      error.message = error.message.replace(/'\/proc\/self\/fd\/[^']*'.*$/s, `'${path}'`);
    throw error;
  }
}
