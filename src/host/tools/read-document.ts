/** A part of a document's text, in the form of a part of a text file. */
import { advised, type Advise } from './advice.ts';
import type { DocumentText } from './document-access.ts';
import { resultCap, ToolFailure, type ToolResult } from './tool.ts';

interface Range {
  first: number;
  /** Infinity = to the end. */
  last: number;
}

/** The line above the text takes the rest of a result. */
const textCap = resultCap - 700;
/** Where later parts begin is told of so many of them, evenly spaced. */
const shownMarks = 4;

/** Throws ToolFailure where there is no such line. */
export function readDocument(document: DocumentText, shown: string, { first, last }: Range): ToolResult {
  const { lines, about } = document;
  const total = lines.length;
  if (first > total) throw new ToolFailure(`${shown} has only ${String(total)} lines.`);
  const end = lastThatFits(lines, first, Math.min(last, total));
  const text = lines.slice(first - 1, end).join('\n');
  const range = { first, last: end };
  return {
    ok: true,
    ...advised((advise) => `${headOf(document, range, advise)}\n${text}`),
    display: {
      kind: 'file',
      path: shown,
      text,
      firstLine: first,
      lastLine: end,
      totalLines: total,
      readAs: about,
    },
  };
}

/** At least one: a line of a document is never longer than a result. */
function lastThatFits(lines: readonly string[], first: number, last: number): number {
  let room = textCap;
  let at = first - 1;
  while (at < last && (room -= (lines[at]?.length ?? 0) + 1) >= 0) at += 1;
  return Math.max(at, first);
}

function headOf(
  { lines, about, marks, limit }: DocumentText,
  { first, last }: Range,
  advise: Advise,
): string {
  const more = marks.filter(({ line }) => line > last);
  const next = `; read on with start_line ${String(last + 1)}`;
  return [
    `lines ${String(first)}-${String(last)} of ${String(lines.length)}; ${about}`,
    limit === null ? '' : `, ${limit}`,
    more.length > 0 && last < lines.length ? `; ${spaced(more).map(placeOf).join(', ')}` : '',
    last < lines.length ? advise(next) : '',
  ].join('');
}

const placeOf = ({ label, line }: DocumentText['marks'][number]): string =>
  `${label} from line ${String(line)}`;

/** The next one, the last one, and some between. */
function spaced<T>(all: readonly T[]): T[] {
  if (all.length <= shownMarks) return [...all];
  const step = (all.length - 1) / (shownMarks - 1);
  return Array.from({ length: shownMarks }, (_, index) => all[Math.round(index * step)]).filter(
    (each) => each !== undefined,
  );
}
