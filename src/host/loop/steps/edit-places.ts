/** Where a file that was read can be changed: what the message and the step name of it, and its two ends. */
import { wholeFile } from '../../tools/tool.ts';
import type { FileEnds } from '../calls/added-line.ts';
import type { MadeCall } from '../calls/discipline.ts';
import { linesNamed, sharedPieces } from './named-in-text.ts';
import { piecesInQuotes } from './new-paths.ts';

const maxLineLength = 200;

export interface EditPlaces {
  /** Each stands in what was read once: pieces that the texts name, values of their lines, then the lines. */
  named: string[];
  /** null = the file was not read as a whole, or there is no such text. */
  ends: FileEnds;
}

/** @param reads results of `read_file`, with their range in the first line. */
export function editPlaces(texts: readonly string[], reads: readonly string[]): EditPlaces {
  const all = reads.flatMap(linesOf);
  const lines = all.filter(
    (line) =>
      line.trim() !== '' && line.length <= maxLineLength && all.indexOf(line) === all.lastIndexOf(line),
  );
  const content = all.join('\n');
  const naming = withoutNew(texts, content);
  const named = linesNamed(naming, lines);
  const shared = new Set(naming.flatMap((text) => sharedPieces(text, content)));
  const pieces = named.flatMap((line) =>
    withoutLabels(
      [...shared].filter((piece) => line.includes(piece)),
      line,
    ),
  );
  const [only = ''] = reads.length === 1 && wholeFile.test(reads[0] ?? '') ? reads : [];
  const values = named.map(valueOf).filter((value) => value !== '' && standsOnce(value, content));
  return { named: [...new Set([...pieces, ...values, ...named])], ends: endsOf(linesOf(only)) };
}

/** What stands in quotes and not in the file is to come into it: its words name nothing that is there. */
function withoutNew(texts: readonly string[], content: string): string[] {
  const quoted = texts.flatMap(piecesInQuotes).map((piece) => piece.trim());
  const added = quoted.filter((piece) => piece !== '' && !content.includes(piece));
  return texts.map((text) => added.reduce((rest, piece) => rest.replaceAll(piece, ' '), text));
}

const linesOf = (read: string): string[] => read.split('\n').slice(1);

/** Of a line like `colour = red` the label tells which line is meant: what is said of the rest is what changes. */
function withoutLabels(pieces: readonly string[], line: string): readonly string[] {
  return pieces.filter((piece) => !label.test(line.slice(line.indexOf(piece) + piece.length)));
}

const label = /^["'\]]*\s*[:=]/;

/**
 * Of `"port": 80,` it is `80`; '' = it is no such line, or more stands behind its label than one value. With all of the line to
 * write, a small model writes the next one.
 */
function valueOf(line: string): string {
  const { quoted, bare } = labelled.exec(line)?.groups ?? {};
  return quoted ?? (bare?.includes('//') ? '' : (bare ?? ''));
}

/** A label has words alone; a colon between figures is a time. What is in quotes is in one pair of them. */
const labelled =
  /^\s*(["']?)\p{L}[\p{L}\p{N} _.-]*\1\s*(?:=|:(?!(?<=\d:)\d))\s*(?:(["'])(?<quoted>[^"'\\]*)\2|(?<bare>[-+]?[\p{L}\p{N}./][^"'`=<>|&!#;,{}()[\]]*?))\s*[,;]?$/u;

const standsOnce = (piece: string, text: string): boolean => text.indexOf(piece) === text.lastIndexOf(piece);

function endsOf(lines: readonly string[]): FileEnds {
  const text = lines.join('\n');
  const isUnique = (piece: string): boolean => piece.trim() !== '' && standsOnce(piece, text);
  /** As few lines as there is no second place for; null = not within the bounds. */
  const shortest = (from: (count: number) => readonly string[]): string | null => {
    for (let count = 1; count <= lines.length; count += 1) {
      const piece = from(count).join('\n');
      if (piece.length > maxLineLength) return null;
      if (isUnique(piece)) return piece;
    }
    return null;
  };
  return {
    first: shortest((count) => lines.slice(0, count)),
    last: shortest((count) => lines.slice(-count)),
  };
}

/** It only adds lines, all of which are among those that they stand beside. A bracket may be one more of them. */
export function doublesLine(args: MadeCall['args']): boolean {
  const { old_text: old, new_text: next } = (args ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof old !== 'string' || typeof next !== 'string') return false;
  const isBelow = next.startsWith(`${old}\n`);
  if (!isBelow && !next.endsWith(`\n${old}`)) return false;
  const added = isBelow ? next.slice(old.length) : next.slice(0, -old.length);
  const lines = added.split('\n').filter((line) => line.trim() !== '');
  return (
    lines.some((line) => /[\p{L}\p{N}]/u.test(line)) && lines.every((line) => old.split('\n').includes(line))
  );
}
