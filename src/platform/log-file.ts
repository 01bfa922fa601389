/** One log file per process, one older one kept. */
import { appendFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, privateFileMode } from './private-data.ts';
import { renameOverNow } from './rename-over.ts';

const rotateAtBytes = 5 * 1024 * 1024;

/**
 * Returns what `createLog` writes to. Rotates when opened; where that fails, the file grows on, because no start is refused
 * for it. Lines are few, so each is written through at once.
 */
export function openLogFile(path: string, rename = renameOverNow): (line: string) => void {
  makePrivateFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAtBytes) rotate(path, rename);
  return (line) => appendFileSync(path, line, { mode: privateFileMode });
}

function rotate(path: string, rename: (from: string, to: string) => void): void {
  try {
    rename(path, `${path}.1`);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    appendFileSync(path, `\nThis log could not be put aside: ${reason}\n`, { mode: privateFileMode });
  }
}
