/**
 * Cuts a text into passages: each short enough to be one vector and one thing to read, cut where the text itself pauses,
 * with where it stands.
 */
import type { NewPassage } from '../store/passages/passage-search.ts';

export interface FileText {
  lines: readonly string[];
  /** Where its parts begin, with a line of their own, from line 1; nothing where it has none. */
  marks: readonly { label: string; line: number }[];
  /** How its headings are told. */
  headings: 'markdown' | 'first_line' | 'none';
}

/** Characters: about two hundred tokens, which every model that makes vectors reads whole. */
export const maxPassage = 800;
/** Less is filled up with what follows. */
const minPassage = 400;
/** Of the end of a passage that was cut within a paragraph, at the beginning of the next. */
const overlap = 100;
const maxHeading = 120;

interface Piece {
  text: string;
  /** Of the file, from 1. */
  first: number;
  last: number;
}

export function splitPassages({ lines, marks, headings }: FileText): NewPassage[] {
  const passages: NewPassage[] = [];
  let part = '';
  let heading = headings === 'first_line' ? (lines[0] ?? '').trim().slice(0, maxHeading) : '';
  let pieces: Piece[] = [];
  let isFenced = false;
  const labels = new Map(marks.map(({ line, label }) => [line, label]));

  const flush = (): void => {
    const text = pieces
      .map((piece) => piece.text)
      .join('\n')
      .trim();
    const [first, last] = [pieces[0], pieces.findLast((piece) => piece.text.trim() !== '')];
    if (text !== '' && first && last)
      passages.push({ place: part === '' ? linesOf(first.first, last.last) : part, heading, text });
    pieces = [];
  };
  const length = (): number => pieces.reduce((sum, piece) => sum + piece.text.length + 1, 0);
  const add = (piece: Piece): void => {
    if (length() + piece.text.length > maxPassage) flush();
    if (pieces.length > 0 || piece.text.trim() !== '') pieces.push(piece);
  };

  for (const [at, line] of lines.entries()) {
    const number = at + 1;
    const label = labels.get(number);
    if (label !== undefined) {
      flush();
      part = label;
      continue;
    }
    if (headings === 'markdown') {
      if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
      const title = isFenced ? null : /^#{1,6}\s+(.+?)\s*#*$/.exec(line)?.[1];
      if (title !== null && title !== undefined) {
        flush();
        heading = title.slice(0, maxHeading);
        continue;
      }
    }
    // A paragraph ends: what is long enough goes for itself.
    if (line.trim() === '' && length() >= minPassage) flush();
    for (const text of cut(line)) add({ text, first: number, last: number });
  }
  flush();
  return passages;
}

/** Pieces that fit, each with the end of the one before: the sentence that is looked for may stand at the cut. */
function cut(line: string): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > maxPassage) {
    const end = pauseIn(rest);
    pieces.push(rest.slice(0, end));
    const from = rest.indexOf(' ', end - overlap);
    rest = rest.slice(from === -1 || from >= end ? end : from + 1);
  }
  return [...pieces, rest];
}

/** The last end of a sentence in the second half, else the last space, else anywhere but within a character. */
function pauseIn(text: string): number {
  const head = text.slice(0, maxPassage);
  const sentence = Math.max(...['. ', '! ', '? ', '。', '！', '？'].map((end) => head.lastIndexOf(end)));
  if (sentence > maxPassage / 2) return sentence + 1;
  const space = head.lastIndexOf(' ');
  if (space > maxPassage / 2) return space;
  return /[\uD800-\uDBFF]$/.test(head) ? maxPassage - 1 : maxPassage;
}

const linesOf = (first: number, last: number): string =>
  first === last ? `line ${String(first)}` : `lines ${String(first)}-${String(last)}`;
