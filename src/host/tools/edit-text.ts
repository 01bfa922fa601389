/** Replacing one exact piece of a text, and saying where it went wrong when that cannot be done. Pure. */

export type Edit = { ok: true; text: string; line: number } | ({ ok: false } & Miss);

/** Why nothing was replaced, and what to do next. */
interface Miss {
  reason: string;
  advice?: string | undefined;
}

/** More places than this are not told, and not looked for. */
const maxPlaces = 10;
/** Comparing more lines than this for a hint takes too long. */
const maxComparisons = 2_000_000;

/** `found` occurs exactly once and becomes `replacement`. Line ends of the file are kept, whichever the model wrote. */
export function replaceOnce(text: string, found: string, replacement: string): Edit {
  const [all, old, next] = [withoutReturns(text), withoutReturns(found), withoutReturns(replacement)];
  if (old === next) return { ok: false, reason: 'old_text and new_text are the same: nothing would change.' };
  const starts = occurrences(all, old);
  const [start] = starts;
  if (start === undefined) return { ok: false, ...missing(all, old) };
  if (starts.length > 1) {
    const lines = starts.slice(0, maxPlaces).map((at) => String(lineAt(all, at)));
    const times = starts.length > maxPlaces ? `more than ${String(maxPlaces)}` : String(starts.length);
    return {
      ok: false,
      reason: `old_text is in the file ${times} times (lines ${lines.join(', ')}).`,
      advice: 'Add the lines around it until it is unique.',
    };
  }
  const { head, tail } = unchanged(old, next);
  const from = placeIn(text, start + head);
  const to = placeIn(text, start + old.length - tail);
  const written = next
    .slice(head, next.length - tail)
    .replaceAll('\n', lineEndAt(text, placeIn(text, start)));
  return {
    ok: true,
    text: text.slice(0, from) + written + text.slice(to),
    line: lineAt(all, start),
  };
}

const withoutReturns = (text: string): string => text.replaceAll('\r\n', '\n');

/** Where in `text` the place `at` of the same text without returns is. */
function placeIn(text: string, at: number): number {
  let place = at;
  for (let end = text.indexOf('\r\n'); end !== -1 && end < place; end = text.indexOf('\r\n', end + 2))
    place++;
  return place;
}

/** How the line at `place` ends; the last one may not, then how the one before it does. */
function lineEndAt(text: string, place: number): string {
  const next = text.indexOf('\n', place);
  const end = next === -1 ? text.lastIndexOf('\n') : next;
  return text[end - 1] === '\r' ? '\r\n' : '\n';
}

/** Characters that both begin and end with: in a file of mixed line ends those lines keep their own. */
function unchanged(old: string, next: string): { head: number; tail: number } {
  const shorter = Math.min(old.length, next.length);
  let head = 0;
  while (head < shorter && old[head] === next[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++;
  return { head, tail };
}

function occurrences(text: string, part: string): number[] {
  const starts: number[] = [];
  for (
    let at = text.indexOf(part);
    at !== -1 && starts.length <= maxPlaces;
    at = text.indexOf(part, at + 1)
  ) {
    starts.push(at);
  }
  return starts;
}

const lineAt = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** With the lines that were probably meant, as they really are. */
function missing(text: string, found: string): Miss {
  const reason = 'old_text is not in the file.';
  const lines = text.split(/\r?\n/);
  const wanted = found.split(/\r?\n/).map((line) => line.trim());
  while (wanted.length > 0 && wanted[0] === '') wanted.shift();
  while (wanted.length > 0 && wanted.at(-1) === '') wanted.pop();
  const first = wanted[0];
  if (first === undefined) return { reason, advice: 'It is only white space: add the text around it.' };

  const few = lines.length * wanted.length <= maxComparisons;
  const same = few
    ? lines.findIndex((_, at) => wanted.every((line, offset) => lines[at + offset]?.trim() === line))
    : -1;
  if (same !== -1) {
    const meant = lines.slice(same, same + wanted.length).join('\n');
    return {
      reason: `${reason} Only its white space differs.`,
      advice: `Copy these lines exactly:\n${meant}`,
    };
  }
  const like = lines.findIndex((line) => line.trim() === first || (first.length > 8 && line.includes(first)));
  if (like === -1) return { reason, advice: 'Read the file again and copy the text exactly.' };
  const shown = lines.slice(Math.max(0, like - 1), like + Math.min(wanted.length, 10) + 1);
  return {
    reason: `${reason} Its first line is at line ${String(like + 1)}; the file has there:\n${shown.join('\n')}`,
  };
}
