import type { Diff } from '../../components/diff-lines.ts';

/** What a person changed in a text of few lines: from the first to the last line that differs is one change. Pure. */
export function editDiff(path: string, before: string, after: string): Diff {
  const [old, now] = [before.split('\n'), after.split('\n')];
  const shorter = Math.min(old.length, now.length);
  let first = 0;
  while (first < shorter && old[first] === now[first]) first += 1;
  let last = 0;
  while (last < shorter - first && old.at(-1 - last) === now.at(-1 - last)) last += 1;
  const removed = old.slice(first, old.length - last);
  const added = now.slice(first, now.length - last);
  const lines = [
    ...now.slice(0, first).map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...now.slice(now.length - last).map((line) => ` ${line}`),
  ];
  const hunk = { oldStart: 1, oldLines: old.length, newStart: 1, newLines: now.length, lines };
  return { kind: 'diff', path, hunks: [hunk], added: added.length, removed: removed.length };
}
