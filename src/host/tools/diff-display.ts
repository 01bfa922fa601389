import { structuredPatch } from 'diff';
import type { ToolDisplay } from '../../protocol/model.ts';
import { isDos } from './line-ends.ts';
import { shortenUnchanged } from './long-lines.ts';

type DiffDisplay = Extract<ToolDisplay, { kind: 'diff' }>;

/** A comparison that takes longer is shown as one replaced by the other. */
const maxMs = 500;

/**
 * All that changes, as it is: a card that leaves out any of it would hide what is allowed. `before` is empty
 * for a new file; `context` = unchanged lines on both sides of a change.
 */
export function diffDisplay(path: string, before: string, after: string, context = 3): DiffDisplay {
  const [old, now] = withoutReturns(before, after);
  const patch = structuredPatch(path, path, old, now, undefined, undefined, {
    context,
    timeout: maxMs,
  });
  const hunks = patch
    ? patch.hunks.map(({ oldStart, newStart, lines }) => ({
        oldStart,
        newStart,
        ...shortenUnchanged(lines.filter(isContent)),
      }))
    : [{ oldStart: 1, newStart: 1, lines: [...marked('-', old), ...marked('+', now)] }];
  const count = (sign: string): number =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.startsWith(sign)).length, 0);
  return { kind: 'diff', path, hunks, added: count('+'), removed: count('-') };
}

/** The remark that the last line has no line end is not a line. */
const isContent = (line: string): boolean => !line.startsWith('\\');

/** Where every line on both sides ends with CR LF, that says nothing; any other return is a part of its line. */
function withoutReturns(before: string, after: string): [string, string] {
  if (!isDos(before) || !isDos(after)) return [before, after];
  return [before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')];
}

const marked = (sign: string, text: string): string[] =>
  text === ''
    ? []
    : text
        .replace(/\n$/, '')
        .split('\n')
        .map((line) => sign + line);

/** Lines, for the model. In words a small one takes them for the answer, or writes them into a file. */
export const countsOf = ({ added, removed }: Pick<DiffDisplay, 'added' | 'removed'>): string =>
  `(+${String(added)} -${String(removed)})`;
