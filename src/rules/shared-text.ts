/**
 * Finds where the words of a call stand in texts that the person did not write. Pure, and linear in all of its input: a
 * suffix automaton of the words reads each text once. Capitals of ASCII count as small letters.
 */

/** A shared piece with fewer characters, blanks around it aside, says nothing about where the words come from. */
export const minShared = 12;
/** Characters of the words that are looked for; the rest of a longer call is not. */
const maxWords = 8_000;
/** A name is found whole, however short; fewer characters than these are in every text. */
const minName = 4;
/** Characters that are read between two places where the work may rest. */
const sliceLength = 16_384;

export interface LookedFor {
  /** A host or the like, which counts only whole; null = the call has none. */
  name: string | null;
  /** Command, path or text. */
  words: string;
}

export interface SourcedText<S> {
  source: S;
  text: string;
}

/** The place of a shared piece in the text of its source. */
export interface SharedText<S> extends SourcedText<S> {
  start: number;
  end: number;
}

/** Yields where the work may rest. */
export type Slices<T> = Generator<undefined, T, undefined>;

/**
 * The name, where a text has it, else the longest piece that the words and a text share; of equal ones the first. null = no
 * text has a piece of `minShared` characters. No part of a piece is counted that stands in `own`, so that nothing which the
 * person wrote is told of somebody else.
 */
export function* findShared<S>(
  { name, words }: LookedFor,
  foreign: readonly SourcedText<S>[],
  own: readonly string[],
): Slices<SharedText<S> | null> {
  const named = name === null ? null : yield* findName(folded(name), foreign, own);
  if (named) return named;
  const asked = partsOf(folded(words.slice(0, maxWords)));
  const strange = yield* withoutOwn(asked, own);
  const automaton = automatonOf(strange);
  let best: SharedText<S> | null = null;
  let longest = minShared - 1;
  for (const { source, text } of foreign) {
    const found = yield* findLongest(folded(text), automaton, longest);
    if (!found) continue;
    best = { source, text, ...found };
    longest = found.end - found.start;
  }
  return best;
}

interface Span {
  start: number;
  end: number;
}

/** Of the same length, so that places in it are places in the text. */
const folded = (text: string): string => text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());

/** Without rows of blanks and rules of signs, which are the same everywhere, and without halves of characters. */
const partsOf = (words: string): string[] =>
  words
    .split(/\s{2,}|\p{Cs}|(?:([^\p{L}\p{N}\s])\1{2,})/u)
    .filter((part) => part !== undefined && part.length > 1);

function* findName<S>(
  name: string,
  foreign: readonly SourcedText<S>[],
  own: readonly string[],
): Slices<SharedText<S> | null> {
  if (name.length < minName) return null;
  for (const text of own) {
    if (placeOfName(name, folded(text)) !== null) return null;
    yield;
  }
  for (const { source, text } of foreign) {
    const start = placeOfName(name, folded(text));
    if (start !== null) return { source, text, start, end: start + name.length };
    yield;
  }
  return null;
}

/** As a name of its own, and not inside of a longer one. */
function placeOfName(name: string, text: string): number | null {
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const isWhole = !/[a-z\d-]\.?$/.test(text.slice(Math.max(0, at - 2), at));
    if (isWhole && !/^\.?[a-z\d-]/.test(text.slice(at + name.length, at + name.length + 2))) return at;
  }
  return null;
}

/** What is left of the parts without all that the person wrote as well. */
function* withoutOwn(parts: readonly string[], own: readonly string[]): Slices<string[]> {
  if (own.length === 0) return [...parts];
  const automaton = automatonOf(parts);
  const theirs = new Set<string>();
  for (const each of own) {
    const text = folded(each);
    for (const { end, length } of walk(text, automaton)) {
      if (length >= minShared) theirs.add(text.slice(end - minShared, end));
      if (end % sliceLength === 0) yield;
    }
    yield;
  }
  return theirs.size === 0 ? [...parts] : parts.flatMap((part) => remainder(part, theirs));
}

function remainder(part: string, theirs: ReadonlySet<string>): string[] {
  const left: string[] = [];
  let from = 0;
  let coveredTo = 0;
  for (let at = 0; at + minShared <= part.length; at += 1) {
    if (!theirs.has(part.slice(at, at + minShared))) continue;
    if (at > coveredTo) left.push(part.slice(from, at));
    coveredTo = at + minShared;
    from = coveredTo;
  }
  left.push(part.slice(from));
  return left.filter((piece) => piece.length >= minShared);
}

/** The longest that is longer than `more`, blanks at its ends aside. */
function* findLongest(text: string, automaton: Automaton, more: number): Slices<Span | null> {
  let best: Span | null = null;
  let longest = more;
  for (const { end, length } of walk(text, automaton)) {
    if (length > longest) {
      const span = withoutEnds(text, { start: end - length, end });
      if (span.end - span.start > longest) {
        best = span;
        longest = span.end - span.start;
      }
    }
    if (end % sliceLength === 0) yield;
  }
  yield;
  return best;
}

/** Without the half of a surrogate pair and the one blank that may stand at each end. */
function withoutEnds(text: string, { start, end }: Span): Span {
  const isLoose = (at: number, half: RegExp): boolean =>
    /\s/.test(text.charAt(at)) || half.test(text.charAt(at));
  let [first, last] = [start, end];
  while (first < last && isLoose(first, /[\uDC00-\uDFFF]/)) first += 1;
  while (last > first && isLoose(last - 1, /[\uD800-\uDBFF]/)) last -= 1;
  return { start: first, end: last };
}

/** A state per class of pieces that end at the same places; its transitions by character code. */
interface Automaton {
  next: Map<number, number>[];
  link: number[];
  length: number[];
}

/** After each character, how long a piece of the automaton ends there. */
function* walk(text: string, { next, link, length }: Automaton): Generator<{ end: number; length: number }> {
  let state = 0;
  let matched = 0;
  const place = { end: 0, length: 0 };
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    let to = next[state]?.get(code);
    while (to === undefined && state !== 0) {
      state = link[state] ?? 0;
      matched = length[state] ?? 0;
      to = next[state]?.get(code);
    }
    if (to !== undefined) {
      state = to;
      matched += 1;
    }
    place.end = at + 1;
    place.length = matched;
    yield place;
  }
}

/** Between two parts stands what no text has. */
const border = -1;

function automatonOf(parts: readonly string[]): Automaton {
  const next: Map<number, number>[] = [new Map()];
  const link = [-1];
  const length = [0];
  let last = 0;
  const stateOf = (edges: Map<number, number>, suffix: number, size: number): number => {
    next.push(edges);
    link.push(suffix);
    length.push(size);
    return next.length - 1;
  };
  const add = (code: number): void => {
    const added = stateOf(new Map(), 0, (length[last] ?? 0) + 1);
    let from = last;
    last = added;
    for (; from !== -1; from = link[from] ?? -1) {
      const edges = next[from];
      if (edges?.has(code)) break;
      edges?.set(code, added);
    }
    if (from === -1) return;
    const to = next[from]?.get(code) ?? 0;
    const size = (length[from] ?? 0) + 1;
    if (length[to] === size) {
      link[added] = to;
      return;
    }
    const copy = stateOf(new Map(next[to]), link[to] ?? 0, size);
    link[to] = copy;
    link[added] = copy;
    for (let each = from; each !== -1 && next[each]?.get(code) === to; each = link[each] ?? -1)
      next[each]?.set(code, copy);
  };
  for (const part of parts) {
    for (let at = 0; at < part.length; at += 1) add(part.charCodeAt(at));
    add(border);
  }
  return { next, link, length };
}

/** Of the sentence around a piece, at most this much is shown, the piece included. */
export const maxQuote = 200;

export interface Quote {
  before: string;
  piece: string;
  after: string;
}

/** The sentence or line around the piece, cut with an ellipsis where it is longer than `maxQuote`. */
export function quoteAround({
  text,
  start,
  end,
}: Pick<SharedText<unknown>, 'text' | 'start' | 'end'>): Quote {
  if (end - start > maxQuote)
    return { before: '', piece: `${cutAt(text, start, start + maxQuote - 1)}…`, after: '' };
  const room = maxQuote - (end - start);
  const head = text.slice(Math.max(0, start - room), start);
  const tail = text.slice(end, end + room);
  const before = head.slice(afterBreak(head));
  const after = tail.slice(0, atBreak(tail));
  const half = Math.floor(room / 2);
  const most = { before: Math.max(half, room - after.length), after: Math.max(half, room - before.length) };
  const isHeadCut = before.length > most.before || (before.length === head.length && start > room);
  const isTailCut = after.length > most.after || (after.length === tail.length && end + room < text.length);
  return {
    before: isHeadCut
      ? `…${cutAt(before, before.length - most.before + 1, before.length)}`
      : before.trimStart(),
    piece: text.slice(start, end),
    after: isTailCut ? `${cutAt(after, 0, most.after - 1)}…` : after.trimEnd(),
  };
}

/** No half of a surrogate pair is left at an end. */
const cutAt = (text: string, from: number, to: number): string =>
  text
    .slice(from, to)
    .replace(/^[\uDC00-\uDFFF]/, '')
    .replace(/[\uD800-\uDBFF]$/, '');

function afterBreak(head: string): number {
  let last = 0;
  for (const { index, 0: found } of head.matchAll(/\n|[.!?。](?=\s)/g)) last = index + found.length;
  return last;
}

function atBreak(tail: string): number {
  const found = /\n|[.!?。](?=\s|$)/.exec(tail);
  if (!found) return tail.length;
  return found[0] === '\n' ? found.index : found.index + 1;
}
