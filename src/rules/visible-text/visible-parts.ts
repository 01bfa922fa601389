/** A foreign text as what a person sees of it: nothing in it is left out, hidden or moved by another part of it. */
import { isCombining, isExcessMark, isHidden, isOddBlank, isShapingJoiner } from './hidden-signs.ts';
import { lookAlikes, looksPlain } from './look-alikes.ts';
import { looksLikeOperator } from './operator-looks.ts';

/** The texts of all parts, one after the other, are the whole text. */
export type VisiblePart =
  | { kind: 'text'; text: string }
  /** Written from right to left: to be drawn apart, so that it moves nothing beside it. */
  | { kind: 'rtl'; text: string }
  /** One sign, `count` times: `code` is "U+202E". `looks`: it passes for another one, and can itself be shown. */
  | { kind: 'sign'; text: string; code: string; count: number; looks: boolean }
  /** More hidden signs in a row than anybody reads one by one. */
  | { kind: 'signs'; text: string; count: number }
  | { kind: 'blanks'; text: string; count: number }
  /** Whole lines with their ends. */
  | { kind: 'lines'; text: string; count: number };

/** Latin is read by everybody who reads code. */
export const latinOnly: ReadonlySet<string> = new Set(['Latn']);

/** From here on blanks push what follows out of sight. */
const maxBlanks = 8;
/** Lines of code begin with blanks. */
const maxIndent = 40;
const maxEmptyLines = 3;
const maxSignsInRow = 16;

/** Whatever has none of these is as it looks. */
const unusual = new RegExp(
  String.raw`[^ -~\n\t]|[ \t]{${String(maxBlanks + 1)}}|\n(?:[ \t]*\n){${String(maxEmptyLines + 1)}}|^(?:[ \t]*\n){${String(maxEmptyLines + 1)}}`,
);
const emptyLines = new RegExp(String.raw`(?<=^|\n)(?:[ \t]*\n){${String(maxEmptyLines + 1)},}`, 'g');
/**
 * A word with its marks and joiners; an emoji; a run of blanks; any other sign that is not plain. Made when it is asked
 * for: the table of all emoji is long in the reading.
 */
const pieces = (): RegExp =>
  /(?<word>(?![0-9]\uFE0F\u20E3)[\p{L}\p{N}\p{M}\u200C\u200D]+)|(?<emoji>(?=\p{Extended_Pictographic}|\p{RI}|[0-9#*]\uFE0F)\p{RGI_Emoji})|(?<blanks>[ \t]{9,})|[^ -~\n\t]/gv;
/** By the ranges that Unicode keeps for what is written so, punctuation, digits and unassigned signs with it. */
const rightToLeft =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+(?: +[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]+)*/gu;

export interface VisibleOptions {
  /** Scripts that the person reads, by their codes of ISO 15924; Latin alone unless given. */
  scripts?: ReadonlySet<string> | undefined;
  /** A name, which has one line: a line break or a tab in it is a sign like any other. */
  oneLine?: boolean | undefined;
}

export function visibleParts(
  text: string,
  { scripts = latinOnly, oneLine = false }: VisibleOptions = {},
): VisiblePart[] {
  if (oneLine) return partsOfLine(text, scripts);
  if (!unusual.test(text)) return text === '' ? [] : [{ kind: 'text', text }];
  const parts = new Parts();
  let at = 0;
  for (const { 0: lines, index } of text.matchAll(emptyLines)) {
    addLines(parts, text.slice(at, index), scripts);
    parts.add({ kind: 'lines', text: lines, count: lines.split('\n').length - 1 });
    at = index + lines.length;
  }
  addLines(parts, text.slice(at), scripts);
  return parts.done();
}

function partsOfLine(text: string, scripts: ReadonlySet<string>): VisiblePart[] {
  const parts = new Parts();
  for (const piece of text.split(/([\n\t])/)) {
    if (piece === '\n' || piece === '\t') parts.sign(piece, false);
    else addLines(parts, piece, scripts);
  }
  return parts.done();
}

function addLines(parts: Parts, text: string, scripts: ReadonlySet<string>): void {
  let at = 0;
  for (const { 0: found, index, groups = {} } of text.matchAll(pieces())) {
    parts.text(text.slice(at, index));
    at = index + found.length;
    if (groups['emoji'] !== undefined) {
      if (looksLikeOperator(found, text, index, scripts)) parts.sign(found, true);
      else parts.text(found);
    } else if (groups['blanks'] !== undefined)
      addBlanks(parts, found, text.charAt(index - 1), text.charAt(at));
    else if (groups['word'] !== undefined) addWord(parts, found, { text, index, scripts });
    else if (isHidden(found) || isOddBlank(found)) parts.sign(found, false);
    else if (looksLikeOperator(found, text, index, scripts)) parts.sign(found, true);
    else if (looksPlain(found, text.charAt(index - 1) + text.charAt(at), scripts)) parts.sign(found, true);
    else parts.text(found);
  }
  parts.text(text.slice(at));
}

function addBlanks(parts: Parts, blanks: string, before: string, after: string): void {
  const indents = (before === '' || before === '\n') && after !== '' && after !== '\n';
  if (indents && blanks.length <= maxIndent) parts.text(blanks);
  else parts.add({ kind: 'blanks', text: blanks, count: blanks.length });
}

interface WordPlace {
  text: string;
  /** Where in it the word begins. */
  index: number;
  scripts: ReadonlySet<string>;
}

function addWord(parts: Parts, word: string, { text, index, scripts }: WordPlace): void {
  if (/^[!-~]*$/.test(word)) {
    parts.text(word);
    return;
  }
  const letters = Array.from(word);
  const alike = lookAlikes(letters, scripts);
  let base = '';
  let marks = 0;
  let next = index;
  for (const [place, letter] of letters.entries()) {
    const at = next;
    next += letter.length;
    const [before = '', after = ''] = [letters[place - 1], letters[place + 1]];
    if (isHidden(letter)) {
      if (isShapingJoiner(letter, before, after, scripts)) parts.text(letter);
      else parts.sign(letter, false);
    } else if (isCombining(letter)) {
      if (isExcessMark(letter, base, marks)) parts.sign(letter, false);
      else parts.text(letter);
      marks += 1;
    } else {
      base = letter;
      marks = 0;
      const looks = alike.has(place) || (letter > '~' && looksLikeOperator(letter, text, at, scripts));
      if (looks) parts.sign(letter, true);
      else parts.text(letter);
    }
  }
}

const codeOf = (sign: string): string =>
  `U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Joins what belongs together: plain text, the same sign again, many hidden signs in a row. */
class Parts {
  readonly #parts: VisiblePart[] = [];
  #plain = '';

  add(part: VisiblePart): void {
    this.#flush();
    this.#parts.push(part);
  }

  text(text: string): void {
    this.#plain += text;
  }

  sign(sign: string, looks: boolean): void {
    const last = this.#plain === '' ? this.#parts.at(-1) : undefined;
    if (last?.kind === 'sign' && last.code === codeOf(sign)) {
      this.#parts[this.#parts.length - 1] = { ...last, text: last.text + sign, count: last.count + 1 };
    } else this.add({ kind: 'sign', text: sign, code: codeOf(sign), count: 1, looks });
  }

  done(): VisiblePart[] {
    this.#flush();
    return inRows(this.#parts);
  }

  #flush(): void {
    const plain = this.#plain;
    this.#plain = '';
    let at = 0;
    for (const { 0: found, index } of plain.matchAll(rightToLeft)) {
      if (index > at) this.#parts.push({ kind: 'text', text: plain.slice(at, index) });
      this.#parts.push({ kind: 'rtl', text: found });
      at = index + found.length;
    }
    if (at < plain.length) this.#parts.push({ kind: 'text', text: plain.slice(at) });
  }
}

/** Hidden signs in a long row become one part; one sign that is repeated says so itself. */
function inRows(parts: readonly VisiblePart[]): VisiblePart[] {
  const result: VisiblePart[] = [];
  let at = 0;
  while (at < parts.length) {
    let end = at;
    while (isHiddenSign(parts[end])) end += 1;
    if (end - at > maxSignsInRow) {
      const row = parts.slice(at, end);
      const count = row.reduce((sum, part) => sum + (part.kind === 'sign' ? part.count : 0), 0);
      result.push({ kind: 'signs', text: row.map(({ text }) => text).join(''), count });
    } else result.push(...parts.slice(at, Math.max(end, at + 1)));
    at = Math.max(end, at + 1);
  }
  return result;
}

const isHiddenSign = (part: VisiblePart | undefined): boolean => part?.kind === 'sign' && !part.looks;
