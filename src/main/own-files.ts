/** What the page may show or open outside the window: only what lies in a session's folder or the data folder. */
import type { Stats } from 'node:fs';
import { realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { shell } from 'electron';
import { z } from 'zod';
import type { FileOutcome } from '../protocol/desktop.ts';
import { isOpenable } from '../rules/openable-files.ts';

export interface OwnFilesDeps {
  dataDir: string;
  /** As the host tells it, not the page; null = there is no such session. */
  workspaceOf: (sessionId: string) => string | null;
  platform: NodeJS.Platform;
}

/** As the page asks; nothing in it is trusted. */
export const fileActionSchema = z.object({
  action: z.enum(['show', 'open']),
  sessionId: z.string().max(200).nullable(),
  path: z.string().min(1).max(4096),
});
export type FileAction = z.infer<typeof fileActionSchema>;

/** A link that leads outside is outside. */
export async function openOwnFile(
  { action, sessionId, path }: FileAction,
  { dataDir, workspaceOf, platform }: OwnFilesDeps,
): Promise<FileOutcome> {
  const workspace = sessionId === null ? null : workspaceOf(sessionId);
  const base = workspace ?? dataDir;
  try {
    const wanted = resolve(base, path);
    const homes = await Promise.all([dataDir, base].map((folder) => realpath(folder)));
    // Before anything is touched there: on Windows to look at a path may be to call another machine.
    if (![dataDir, base, ...homes].some((folder) => isInside(folder, wanted))) return 'outside';
    const target = await realpath(wanted);
    if (!homes.some((folder) => isInside(folder, target))) return 'outside';
    const found = await stat(target);
    if (action === 'show' || !mayOpen(target, found, platform)) {
      shell.showItemInFolder(target);
      return action === 'open' ? 'shown' : 'done';
    }
    return (await shell.openPath(target)) === '' ? 'done' : 'failed';
  } catch (error) {
    return isMissing(error) ? 'missing' : 'failed';
  }
}

function isInside(folder: string, target: string): boolean {
  const way = relative(folder, target);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

/**
 * A folder is opened where it is no more than one: Windows reads `x.{…}` as a place of the system, and a Mac runs
 * `Tool.app`. A file that may be run is not opened whatever its kind.
 */
function mayOpen(path: string, found: Stats, platform: NodeJS.Platform): boolean {
  if (found.isDirectory()) return platform === 'linux' || !basename(path).includes('.');
  return found.isFile() && isOpenable(path) && (platform === 'win32' || (found.mode & 0o111) === 0);
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}
