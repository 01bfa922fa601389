/** Which files of a workspace a person means by a few letters of their path. Pure. */

/** A path with the form of it that is compared: one spelling of each letter, in lower case. */
export interface NamedPath {
  path: string;
  compared: string;
}

export const comparable = (text: string): string => text.normalize('NFC').toLowerCase();

/** The best first: by where the letters stand, then the shorter path, then the alphabet. At most `most`. */
export function bestMatches(paths: Iterable<NamedPath>, query: string, most: number): BestMatches {
  const wanted = comparable(query.trim())
    .replaceAll('\\', '/')
    .replace(/^\.?\/+/, '');
  const best: Ranked[] = [];
  let found = 0;
  for (const { path, compared } of paths) {
    const rank = rankOf(compared, wanted);
    if (rank === null) continue;
    found += 1;
    const ranked = { path, rank };
    const last = best.at(-1);
    if (best.length === most && last && order(ranked, last) >= 0) continue;
    best.splice(placeOf(ranked, best), 0, ranked);
    if (best.length > most) best.pop();
  }
  return { paths: best.map(({ path }) => path), found };
}

export interface BestMatches {
  paths: string[];
  /** How many match in all. */
  found: number;
}

interface Ranked {
  path: string;
  rank: number;
}

/** The file's name begins with it; has it; the path has it; the path has its letters in this order. null = none. */
function rankOf(path: string, wanted: string): number | null {
  if (wanted === '') return path.split('/').length;
  const inName = path.indexOf(wanted, path.lastIndexOf('/') + 1);
  if (inName !== -1) return inName === path.lastIndexOf('/') + 1 ? 0 : 1;
  if (path.includes(wanted)) return 2;
  let at = -1;
  for (const letter of wanted) {
    // What is between words of a query stands for anything.
    if (letter === ' ') continue;
    at = path.indexOf(letter, at + 1);
    if (at === -1) return null;
  }
  return 3;
}

function order(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || a.path.length - b.path.length || (a.path < b.path ? -1 : 1);
}

function placeOf(ranked: Ranked, sorted: readonly Ranked[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const other = sorted[middle];
    if (other && order(other, ranked) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
