/**
 * Very long lines of a diff, such as those of a minified file. What they have in common is left out, as unchanged lines
 * are: with its place and its size, so that it can be told. What differs is never left out.
 */
import type { ToolDisplay } from '../../protocol/model.ts';

type Hunk = Extract<ToolDisplay, { kind: 'diff' }>['hunks'][number];
type Shortened = Pick<Hunk, 'lines' | 'same'>;
type Same = NonNullable<Hunk['same']>[number];

const minLength = 1_000;
/** Characters that stay beside what differs, and on both sides of what is left out. */
const kept = 200;

/** `lines` begin with their signs. */
export function shortenUnchanged(lines: readonly string[]): Shortened {
  const result = [...lines];
  const same: Same[] = [];
  /** From `from` to before `end` of the line, the sign included. */
  const leaveOut = (line: number, ranges: readonly (readonly [from: number, end: number])[]): void => {
    const text = lines[line] ?? '';
    let [short, at] = ['', 0];
    for (const [from, end] of ranges) {
      const [first, last] = [wholeCharacter(text, from), wholeCharacter(text, end)];
      if (last - first < kept) continue;
      short += text.slice(at, first);
      // In the text after the sign.
      same.push({ line, at: short.length - 1, count: last - first });
      at = last;
    }
    result[line] = short + text.slice(at);
  };
  for (const [line, other] of pairsOf(lines)) {
    const [a = '', b = ''] = [lines[line], other === null ? lines[line] : lines[other]];
    if (a.length < minLength && b.length < minLength) continue;
    if (other === null) {
      leaveOut(line, [[1 + kept, a.length - kept]]);
      continue;
    }
    const { before, after } = common(a, b);
    for (const place of [line, other]) {
      const { length } = lines[place] ?? '';
      leaveOut(place, [
        [1 + kept, before - kept],
        [length - after + kept, length - kept],
      ]);
    }
  }
  same.sort((a, b) => a.line - b.line || a.at - b.at);
  return same.length === 0 ? { lines: result } : { lines: result, same };
}

/** A removed line with the added one in its place, where as many were added as removed; an unchanged one alone. */
function pairsOf(lines: readonly string[]): [line: number, other: number | null][] {
  const pairs: [number, number | null][] = [];
  let at = 0;
  const runOf = (sign: string): number => {
    const from = at;
    while (lines[at]?.[0] === sign) at += 1;
    return at - from;
  };
  while (at < lines.length) {
    const began = at;
    for (let line = at, same = runOf(' '); line < began + same; line += 1) pairs.push([line, null]);
    const first = at;
    const removed = runOf('-');
    const added = runOf('+');
    if (removed === added) {
      for (let line = first; line < first + removed; line += 1) pairs.push([line, line + removed]);
    }
  }
  return pairs;
}

/** How much the lines have in common at their begin (the sign counted in) and at their end. */
function common(a: string, b: string): { before: number; after: number } {
  const shorter = Math.min(a.length, b.length);
  let before = 1;
  while (before < shorter && a[before] === b[before]) before += 1;
  let after = 0;
  while (after < shorter - before && a.at(-1 - after) === b.at(-1 - after)) after += 1;
  return { before, after };
}

/** Not between the halves of a character. */
function wholeCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc_00 && code <= 0xdf_ff ? at + 1 : at;
}
