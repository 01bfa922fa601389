/**
 * What tells the processes of one command from all others, also when they left its process group: a random number that
 * stands in their environment and, where there is such a thing, is their limit of file locks. Linux inherits that limit
 * and enforces nothing by it, so it is a mark that a program neither notices nor loses.
 */
import { createHash, randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Name of the environment variable. */
export const commandVariable = 'ANDIRON_COMMAND';

const highest = 2 ** 52;
/** The end of a mark follows from its beginning, so that any Andiron knows a mark of any other. */
const checkSize = 2 ** 20;
/** Beginnings of marks within commands get smaller by this at most: a limit can only be lowered. */
const span = 2 ** 24;

export function createMark(ownLimit: number = readOwnLimit()): string {
  const limit = Math.min(ownLimit, highest);
  const beginnings = Math.floor(limit / checkSize);
  // Nobody knows it as a mark then.
  if (beginnings < 2) return String(limit - randomInt(1, Math.max(2, limit)));
  return markOf(beginnings - randomInt(1, Math.min(span, beginnings)));
}

/** Whether a limit is a mark of some command, of this Andiron or another: nobody sets such a number by chance. */
export const isMark = (limit: number): boolean =>
  Number.isSafeInteger(limit) && String(limit) === markOf(Math.floor(limit / checkSize));

function markOf(beginning: number): string {
  const check = createHash('sha256')
    .update(`Andiron ${String(beginning)}`)
    .digest()
    .readUInt32BE();
  return String(beginning * checkSize + (check % checkSize));
}

function readOwnLimit(): number {
  try {
    const limit = /^Max file locks +\S+ +(?<hard>\d+)/m.exec(readFileSync('/proc/self/limits', 'latin1'));
    return Number(limit?.groups?.['hard'] ?? highest);
  } catch {
    return highest;
  }
}

/**
 * A shell script that becomes the program in its arguments once it reads the mark from descriptor 3, and carries it from
 * then on. When whoever started it dies before that, it ends and nothing has begun. Shells differ in the letter of the
 * limit, and some have none.
 */
export const gate =
  'read -r mark <&3 || exit; exec 3<&-; { ulimit -w "$mark" || ulimit -x "$mark"; } 2>/dev/null; exec "$@"';
