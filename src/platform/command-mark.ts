/**
 * What tells the processes of one command from all others, also when they left its process group: a random number that
 * stands in their environment and, where there is such a thing, is their limit of file locks. Linux inherits that limit
 * and enforces nothing by it, so it is a mark that a program neither notices nor loses.
 */
import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** Name of the environment variable. */
export const commandVariable = 'ANDIRON_COMMAND';

const highest = 2 ** 52;
/** Marks of commands within commands get smaller by this at most: a limit can only be lowered. */
const span = 2 ** 44;

export function createMark(ownLimit: number = readOwnLimit()): string {
  const limit = Math.min(ownLimit, highest);
  return String(limit - randomInt(1, Math.max(2, Math.min(span, limit - 1))));
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
