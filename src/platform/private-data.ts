/**
 * What Andiron keeps is the person's alone: its folder 0700, its files 0600. What an older Andiron left open is put right
 * when it starts. Links are never followed, and nothing is touched that is not Andiron's.
 */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from './log.ts';

export const privateFolderMode = 0o700;
export const privateFileMode = 0o600;

/** Permissions that belong to nobody but the owner. */
const open = 0o077;

/** What the engine remembers, in the data folder. */
export const engineFileName = 'engine.json';

const ownNames: ReadonlySet<string> = new Set([
  engineFileName,
  'fits.json',
  'pulls.json',
  'hosts.json',
  'persona.md',
  'sign-in.html',
  'host.sock',
  'host-socket.json',
  'attachments',
  'backups',
  'commands',
  'demo',
  'desktop',
  'logs',
  'ollama',
  'profiles',
]);
/** In them a person works, with other programs too: their permissions are the person's. */
const workspaceNames: ReadonlySet<string> = new Set(['demo-workspace', 'first-tasks']);

const isOwn = (name: string): boolean =>
  name.startsWith('andiron.') || ownNames.has(name.replace(/\.(?:new|1)$/, ''));

/** Makes the folder with its parents if need be. Throws Node's error when that cannot be done. */
export function makePrivateFolder(path: string): void {
  mkdirSync(path, { recursive: true, mode: privateFolderMode });
}

/**
 * Closes the folder and Andiron's files in it to other users. A folder that also holds something else keeps its
 * permissions, because it may be shared on purpose. Returns the paths that could not be put right.
 */
export function closeToOthers(dataDir: string, platform: NodeJS.Platform = process.platform): string[] {
  // Windows has lists of who may do what, and the person's own folders begin closed.
  if (platform === 'win32') return [];
  const failed: string[] = [];
  const names = readdirSync(dataDir);
  if (names.every((name) => isOwn(name) || workspaceNames.has(name))) close(dataDir, failed);
  for (const name of names.filter(isOwn)) closeTree(join(dataDir, name), failed);
  return failed;
}

/** Tells the log of the paths that could not be put right; where there is none, nothing. */
export function warnOfOpen(paths: readonly string[], log: Pick<Log, 'warn'>): void {
  if (paths.length > 0) log.warn('other users can still read these', { paths });
}

/** A folder that is closed already is not gone through: nobody else reaches what is in it. */
function closeTree(path: string, failed: string[]): void {
  const kind = close(path, failed);
  if (kind !== 'opened folder') return;
  for (const name of readdirSync(path)) {
    if (!workspaceNames.has(name)) closeTree(join(path, name), failed);
  }
}

/** `opened folder` = a folder that others could look into until now. */
function close(path: string, failed: string[]): 'opened folder' | 'other' {
  const there = lstatSync(path, { throwIfNoEntry: false });
  if (!there || (there.mode & open) === 0) return 'other';
  if (!there.isDirectory() && !there.isFile()) return 'other';
  // Another name of it may be outside, and not Andiron's.
  if (there.isFile() && there.nlink > 1) return 'other';
  try {
    const handle = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { mode, ino, dev } = fstatSync(handle);
      // Something else was put there in this very moment.
      if (ino !== there.ino || dev !== there.dev) return 'other';
      fchmodSync(handle, mode & 0o700);
    } finally {
      closeSync(handle);
    }
  } catch {
    failed.push(path);
  }
  return there.isDirectory() ? 'opened folder' : 'other';
}
