/** Replaces the AppImage in one move: electron-updater deletes the old one first, and a crash then leaves none. */
import { chmodSync, closeSync, copyFileSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { UpdateFailure } from './failure.ts';

/** What runs from the old file goes on: only the name changes hands. */
export function replaceAppImage(downloaded: string, appImage: string): void {
  if (!isAbsolute(appImage)) throw new UpdateFailure('not-replaced');
  const draft = `${appImage}.update`;
  try {
    copyFileSync(downloaded, draft);
    chmodSync(draft, 0o755);
    const file = openSync(draft, 'r');
    try {
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, appImage);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new UpdateFailure('not-replaced', { cause: error });
  }
}
