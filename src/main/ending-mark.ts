/**
 * A file in the folder of the lock while its holder ends. Electron tells a second start only that another one has the lock,
 * and whatever is handed to one that ends would be lost.
 */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { privateFileMode } from '../platform/private-data.ts';

const markIn = (folder: string): string => join(folder, 'ending');

/** Throws Node's error when it cannot be written; a start meanwhile is then handed over as to any other. */
export function markEnding(folder: string): void {
  writeFileSync(markIn(folder), '', { mode: privateFileMode });
}

export const isMarkedEnding = (folder: string): boolean => existsSync(markIn(folder));

/** For who has the lock now: a mark that is left is of one that has ended. */
export function clearEndingMark(folder: string): void {
  rmSync(markIn(folder), { force: true });
}
