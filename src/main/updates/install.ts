/** Puts a downloaded update in the place of this version, while the app ends, and starts what stands there then. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { app } from 'electron';
import type { UpdateDownloadedEvent } from 'electron-updater';
import { withoutAppDir } from '../../platform/app-dir.ts';
import type { Log } from '../../platform/log.ts';
import { replaceAppImage } from './app-image.ts';
import { assertUnchanged, type CheckedFile } from './checked-file.ts';
import { UpdateFailure, updateFailureOf } from './failure.ts';
import type { UpdateMemory } from './update-record.ts';
import type { PackageKind } from './package-kind.ts';
import type { StartAfterEnd } from './start-after-end.ts';

export interface ReadyUpdate extends CheckedFile {
  version: string;
}

/** What the signed feed says of the file that was downloaded; null = it names none so. */
export function readyUpdateOf(event: UpdateDownloadedEvent): ReadyUpdate | null {
  const { version, downloadedFile: path, files } = event;
  const file = files.find(({ url }) => url === basename(path));
  return file?.size === undefined ? null : { version, path, size: file.size, sha512: file.sha512 };
}

export interface Installing {
  kind: PackageKind;
  update: ReadyUpdate;
  /** Start again afterwards. */
  restart: boolean;
  /** Runs the system's installer; false = it did not begin. It says why by its event `error`. */
  runInstaller: () => boolean;
  /** Begins a program once this process has ended. */
  startAfterEnd: (start: StartAfterEnd) => void;
  memory: UpdateMemory;
  /** Where this Andiron keeps its things. */
  dir: string;
  /** Of the command line. */
  args: readonly string[];
  log: Log;
}

/** Everything has ended by then (Electron: api/app.md, `quit`). Never throws: a failure is told at the next start. */
export function installAtEnd(installing: Installing): void {
  const { kind, update, restart, startAfterEnd, args } = installing;
  const isInstalled = install(installing);
  // The installer of Windows starts the new version.
  if (!restart || (kind === 'nsis' && isInstalled)) return;
  if (kind === 'nsis') {
    app.relaunch();
    return;
  }
  const program = kind === 'app-image' ? appImagePath() : app.getPath('exe');
  startAfterEnd({ pid: process.pid, program, args, env: withoutAppDir(process.env) });
  installing.log.info('starts again', { program, version: isInstalled ? update.version : app.getVersion() });
}

export const appImagePath = (): string => process.env['APPIMAGE'] ?? '';

function install(installing: Installing): boolean {
  const { update, memory, log } = installing;
  const note = (failure: UpdateFailure | null): void => {
    try {
      memory.noteInstall({ from: app.getVersion(), to: update.version, failure: failure?.code ?? null });
    } catch (error) {
      log.error('the update could not be noted', error);
    }
  };
  // First: an installer of the system may fail after this process has ended.
  note(null);
  try {
    replace(installing);
    return true;
  } catch (error) {
    const failure = updateFailureOf(error);
    log.error('the update was not installed', failure.cause ?? failure, { code: failure.code });
    note(failure);
    return false;
  }
}

function replace({ kind, update, runInstaller, dir }: Installing): void {
  if (kind === 'app-image') {
    replaceAppImage(update, appImagePath(), tagOf(dir));
    return;
  }
  assertUnchanged(update);
  if (!runInstaller()) throw new UpdateFailure('not-replaced');
}

const tagOf = (dir: string): string => createHash('sha256').update(dir).digest('hex').slice(0, 12);
