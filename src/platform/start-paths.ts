/** What both shells make of the command line: folders that exist, or words about why not. */
import { mkdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError, type StartOptions } from './options.ts';
import { defaultDataDir, type UserPlace } from './paths.ts';

/** Makes the data folder. The demo's sessions are not the person's: they get a folder of their own. */
export function openDataDir({ dataDir, demo }: StartOptions, place: UserPlace): string {
  const own = defaultDataDir(place);
  const dir = resolve(dataDir ?? (demo ? join(own, 'demo') : own));
  try {
    mkdirSync(dir, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UsageError(`The data folder cannot be made (${reason}). Name another one with --data-dir.`, {
      cause: error,
    });
  }
  return dir;
}

/** The folder that `--workspace` names, null if none was named. Throws UsageError when it is no folder. */
export function namedWorkspace({ workspace }: StartOptions): string | null {
  if (workspace === null) return null;
  const path = resolve(workspace);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new UsageError(`--workspace takes a folder, and ${path} is none.`);
}
