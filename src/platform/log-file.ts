/** One log file per process, one older one kept. */
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

const rotateAtBytes = 5 * 1024 * 1024;

/** Returns what `createLog` writes to. Rotates when opened. Lines are few, so each is written through at once. */
export function openLogFile(path: string): (line: string) => void {
  mkdirSync(dirname(path), { recursive: true });
  const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  if (size > rotateAtBytes) renameSync(path, `${path}.1`);
  return (line) => appendFileSync(path, line);
}
