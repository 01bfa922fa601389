/** One log file per process, one older one kept. */
import { appendFileSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { makePrivateFolder, privateFileMode } from './private-data.ts';

const rotateAtBytes = 5 * 1024 * 1024;

/** Returns what `createLog` writes to. Rotates when opened. Lines are few, so each is written through at once. */
export function openLogFile(path: string): (line: string) => void {
  makePrivateFolder(dirname(path));
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAtBytes) renameSync(path, `${path}.1`);
  return (line) => appendFileSync(path, line, { mode: privateFileMode });
}
