/** How well a name answers what was typed, and which of its letters do. Pure. */

/** `marks`: places in the name, in rising order. */
export interface Match {
  score: number;
  marks: number[];
}

/** What a name is worth for one typed word; the shorter the name, the better (less than a point). */
const worth = {
  whole: 100,
  begins: 80,
  wordBegins: 60,
  initials: 50,
  inside: 30,
  scattered: 10,
  /** In what is known of it besides its name: a folder, a description. */
  beside: 5,
};

/**
 * Every typed word has to be found, in the name or in what stands beside it; in any order. null = one was not found.
 * An empty query is answered by everything.
 */
export function match(query: string, name: string, beside = ''): Match | null {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const folded = fold(name);
  const marks = new Set<number>();
  let score = 0;
  for (const word of words) {
    const found = matchWord(word, folded);
    if (found) for (const at of found.marks) marks.add(at);
    else if (!standsIn(fold(beside), word)) return null;
    score += found?.score ?? worth.beside;
  }
  // As it was typed, in one piece: better than the same words apart.
  const phrase = words.join(' ');
  if (words.length > 1 && folded.includes(phrase)) score += folded.startsWith(phrase) ? 40 : 20;
  return { score: score + 1 / (1 + name.length), marks: [...marks].toSorted((a, b) => a - b) };
}

/** As the beginning of a word; in the middle of one only what is long enough to be meant. */
function standsIn(beside: string, word: string): boolean {
  const at = beside.indexOf(word);
  if (at === -1) return false;
  return word.length >= 4 || wordStarts(beside).some((start) => beside.startsWith(word, start));
}

function matchWord(word: string, name: string): Match | null {
  const starts = wordStarts(name);
  if (name === word) return { score: worth.whole, marks: run(0, word.length) };
  if (name.startsWith(word)) return { score: worth.begins, marks: run(0, word.length) };
  const start = starts.find((at) => name.startsWith(word, at));
  if (start !== undefined) return { score: worth.wordBegins, marks: run(start, word.length) };
  const initials = initialsIn(word, name, starts);
  if (initials) return { score: worth.initials, marks: initials };
  const inside = name.indexOf(word);
  if (inside !== -1) return { score: worth.inside, marks: run(inside, word.length) };
  return scattered(word, name);
}

/** "ns" in "New session"; words may be left out between. */
function initialsIn(word: string, name: string, starts: number[]): number[] | null {
  if (word.length < 2) return null;
  const marks: number[] = [];
  let next = 0;
  for (const letter of word) {
    while (next < starts.length && name[starts[next] ?? 0] !== letter) next += 1;
    const at = starts[next];
    if (at === undefined) return null;
    marks.push(at);
    next += 1;
  }
  return marks;
}

/** All letters in order, close together and from the beginning of a word: otherwise anything would match anything. */
function scattered(word: string, name: string): Match | null {
  if (word.length < 3) return null;
  let best: number[] | null = null;
  for (const start of wordStarts(name)) {
    const marks = inOrder(word, name, start);
    if (marks && (best === null || spanOf(marks) < spanOf(best))) best = marks;
  }
  if (best === null || spanOf(best) > word.length * 2) return null;
  return { score: worth.scattered * (word.length / spanOf(best)), marks: best };
}

function inOrder(word: string, name: string, start: number): number[] | null {
  if (name[start] !== word[0]) return null;
  const marks: number[] = [];
  let from = start;
  for (const letter of word) {
    const at = name.indexOf(letter, from);
    if (at === -1) return null;
    marks.push(at);
    from = at + 1;
  }
  return marks;
}

function spanOf(marks: number[]): number {
  return (marks.at(-1) ?? 0) - (marks[0] ?? 0) + 1;
}

function wordStarts(name: string): number[] {
  return [...name.matchAll(/[\p{L}\p{N}]+/gu)].map(({ index }) => index);
}

function run(from: number, length: number): number[] {
  return Array.from({ length }, (_, step) => from + step);
}

/** Without case and accents, place for place: what is found in it is where it is in the name. */
function fold(text: string): string {
  // Most names: nothing to take from a sign.
  if (/^[\x20-\x7E]*$/.test(text)) return text.toLowerCase();
  return Array.from({ length: text.length }, (_, at) => {
    const unit = text.charAt(at);
    return unit.normalize('NFD').charAt(0).toLowerCase().charAt(0) || unit;
  }).join('');
}
