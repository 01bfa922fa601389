/** What both shells make of the command line: folders that exist, or words about why not. */
import { accessSync, constants, statSync } from 'node:fs';
import { join, parse, resolve } from 'node:path';
import { HostStartError } from './host-channel.ts';
import { UsageError, type StartOptions } from './options.ts';
import { defaultDataDir, type UserPlace } from './paths.ts';
import { makePrivateFolder } from './private-data.ts';
import { describeFileFailure } from './start-failure.ts';

/**
 * Makes the data folder. The demo's sessions are not the person's: they get a folder of their own. Throws HostStartError
 * when it cannot be made, read or written.
 */
export function openDataDir({ dataDir, demo }: StartOptions, place: UserPlace): string {
  const own = defaultDataDir(place);
  const dir = resolve(dataDir ?? (demo ? join(own, 'demo') : own));
  try {
    makePrivateFolder(dir);
    accessSync(dir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const { message, advice } = describeFileFailure(error) ?? {
      message: `The data folder cannot be made (${reason}).`,
      advice: 'Name another one with --data-dir.',
    };
    throw new HostStartError(message, advice, { cause: error });
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

/** Where a process can be that must keep no folder in use: the person's own, or the root where there is none. */
export function neutralFolder(homeDir: string): string {
  const isFolder = statSync(homeDir, { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? homeDir : parse(resolve(homeDir)).root;
}
