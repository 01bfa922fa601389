/** What changed within a line that was changed: stretches of the old and of the new text. Pure. */

/** From a character to the one before which it ends. */
export type Stretch = readonly [from: number, to: number];

/** Words beyond this are not compared: the time grows with the square. */
const maxWords = 120;
/** Lines that share less than this are two lines, not one that was changed. */
const alike = 0.4;

export function changedWords(before: string, after: string): { before: Stretch[]; after: Stretch[] } {
  const [old, now] = [wordsOf(before), wordsOf(after)];
  const none = { before: [], after: [] };
  if (old.length > maxWords || now.length > maxWords) return none;
  const { keptOld, keptNow } = common(old, now);
  const longest = Math.max(before.trim().length, after.trim().length);
  if (longest === 0 || shared(old, keptOld) / longest < alike) return none;
  return { before: stretches(old, keptOld), after: stretches(now, keptNow) };
}

const shared = (words: string[], kept: Set<number>): number =>
  words.reduce((sum, word, at) => sum + (kept.has(at) ? word.trim().length : 0), 0);

const wordsOf = (text: string): string[] => text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];

/** The longest common run of words, as places on both sides. */
function common(old: string[], now: string[]): { keptOld: Set<number>; keptNow: Set<number> } {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = now.length - 1; j >= 0; j--) {
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
    }
  }
  const keptOld = new Set<number>();
  const keptNow = new Set<number>();
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      keptOld.add(i++);
      keptNow.add(j++);
    } else if ((lengths[(i + 1) * width + j] ?? 0) >= (lengths[i * width + j + 1] ?? 0)) i++;
    else j++;
  }
  return { keptOld, keptNow };
}

/** Neighbours become one stretch, also over a space that is the same on both sides. */
function stretches(words: string[], kept: Set<number>): Stretch[] {
  const found: [number, number][] = [];
  let at = 0;
  for (const [place, word] of words.entries()) {
    const end = at + word.length;
    if (!kept.has(place)) {
      const last = found.at(-1);
      const between = last ? words.join('').slice(last[1], at) : '';
      if (last && between.trim() === '') last[1] = end;
      else found.push([at, end]);
    }
    at = end;
  }
  return found;
}
