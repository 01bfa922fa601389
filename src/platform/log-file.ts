/** One log file per process, one older one kept. */
import { appendFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { hasCode } from './file-errors.ts';
import { makePrivateFolder, privateFileMode } from './private-data.ts';
import { renameOverNow } from './rename-over.ts';

const rotateAtBytes = 5 * 1024 * 1024;

const appendPrivately = (path: string, text: string): void =>
  appendFileSync(path, text, { mode: privateFileMode });

/**
 * Returns what `createLog` writes to. Rotates when opened; where that fails, the file grows on. Lines are few, so each is
 * written through at once. Neither opening nor writing ever throws: on a full disk the app must start, go on and end as on
 * any other. Lines that could not be written are counted, and the next one that can be says how many are missing.
 */
export function openLogFile(
  path: string,
  rename = renameOverNow,
  append = appendPrivately,
): (line: string) => void {
  let lost = 0;
  let reason = '';

  const write = (line: string): void => {
    // A full disk may have taken the beginning of a line.
    const gap = lost > 0 ? `\n${missing(lost, reason)}\n` : '';
    try {
      appendInFolder(path, `${gap}${line}`, append);
      lost = 0;
    } catch (error) {
      lost += 1;
      reason = reasonOf(error);
    }
  };
  const problem = rotateIfLong(path, rename);
  if (problem !== null) write(`\nThis log could not be put aside: ${problem}\n`);
  return write;
}

/** Throws what the second try throws: the folder may have been removed while Andiron runs. */
function appendInFolder(path: string, text: string, append: typeof appendPrivately): void {
  try {
    append(path, text);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
    makePrivateFolder(dirname(path));
    append(path, text);
  }
}

/** Returns why it could not; null = it did, or need not. */
function rotateIfLong(path: string, rename: typeof renameOverNow): string | null {
  try {
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    if (size > rotateAtBytes) rename(path, `${path}.1`);
    return null;
  } catch (error) {
    return reasonOf(error);
  }
}

const missing = (lines: number, reason: string): string =>
  `${lines === 1 ? 'A line is' : `${String(lines)} lines are`} missing here, as this log could not be written: ${reason}`;

const reasonOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
