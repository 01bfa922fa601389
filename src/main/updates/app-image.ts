/** Replaces the AppImage in one move: electron-updater deletes the old one first, and a crash then leaves none. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { assertUnchanged, type CheckedFile } from './checked-file.ts';
import { UpdateFailure } from './failure.ts';

/** Throws UpdateFailure where the folder takes no new file, before anything is downloaded for it. */
export function assertReplaceable(appImage: string): void {
  try {
    accessSync(dirname(appImage), constants.W_OK);
  } catch (error) {
    throw new UpdateFailure('not-replaced', { cause: error });
  }
}

/**
 * What runs from the old file goes on: only the name changes hands.
 * @param tag of the data folder, which one Andiron holds at a time: two that share an AppImage share no draft
 */
export function replaceAppImage(downloaded: CheckedFile, appImage: string, tag: string): void {
  if (!isAbsolute(appImage)) throw new UpdateFailure('not-replaced');
  const draft = `${appImage}.${tag}.update`;
  try {
    // Whatever lies there, a link too.
    rmSync(draft, { force: true });
    copyFileSync(downloaded.path, draft, constants.COPYFILE_EXCL);
    chmodSync(draft, 0o755);
    const file = openSync(draft, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    assertUnchanged({ ...downloaded, path: draft });
    renameSync(draft, appImage);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error instanceof UpdateFailure ? error : new UpdateFailure('not-replaced', { cause: error });
  }
}
