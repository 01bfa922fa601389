import { structuredPatch } from 'diff';
import type { ToolDisplay } from '../../protocol/model.ts';
import { visibleText } from './visible-text.ts';

type DiffDisplay = Extract<ToolDisplay, { kind: 'diff' }>;

/** A comparison that takes longer is shown as one replaced by the other. */
const longestMs = 500;
/** Lines that a card holds, and characters of each: a minified file is one line of megabytes. */
const largestHunks = 2_000;
const longestLine = 1_000;

/** `before` is empty for a new file; `context` = unchanged lines on both sides of a change. */
export function diffDisplay(path: string, before: string, after: string, context = 3): DiffDisplay {
  const patch = structuredPatch(path, path, before, after, undefined, undefined, {
    context,
    timeout: longestMs,
  });
  const hunks = patch
    ? patch.hunks.map(({ oldStart, newStart, lines }) => ({
        oldStart,
        newStart,
        lines: lines.filter(isContent).map(shownLine),
      }))
    : [{ oldStart: 1, newStart: 1, lines: [...marked('-', before), ...marked('+', after)].map(shownLine) }];
  const count = (sign: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { kind: 'diff', path, hunks: upTo(largestHunks, hunks), added: count('+'), removed: count('-') };
}

/** The remark that the last line has no line end is not a line. */
const isContent = (line: string): boolean => !line.startsWith('\\');

const shownLine = (line: string): string => {
  const text = visibleText(line.replace(/\r$/, ''));
  return text.length > longestLine ? `${text.slice(0, longestLine)}…` : text;
};

const marked = (sign: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);

function upTo(limit: number, hunks: DiffDisplay['hunks']): DiffDisplay['hunks'] {
  let left = limit;
  return hunks.flatMap((hunk) => {
    const lines = hunk.lines.slice(0, Math.max(0, left));
    left -= lines.length;
    return lines.length > 0 ? [{ ...hunk, lines }] : [];
  });
}
