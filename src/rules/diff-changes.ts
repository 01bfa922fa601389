/** The single changes of a diff: runs of lines that were removed and added in one place. Pure. */
import type { ToolDisplay } from '../protocol/model.ts';

type Hunks = Extract<ToolDisplay, { kind: 'diff' }>['hunks'];

/** Lines count from 0. One of the two counts may be 0: then nothing stood, or stands, there. */
export interface DiffChange {
  before: { from: number; count: number };
  now: { from: number; count: number };
}

/** In the order in which they are drawn. */
export function diffChanges(hunks: Hunks): DiffChange[] {
  const changes: DiffChange[] = [];
  for (const { oldStart, newStart, lines } of hunks) {
    let [before, now] = [oldStart - 1, newStart - 1];
    let open: DiffChange | null = null;
    for (const line of lines) {
      if (line.startsWith(' ')) {
        open = null;
        before += 1;
        now += 1;
        continue;
      }
      if (open === null) {
        open = { before: { from: before, count: 0 }, now: { from: now, count: 0 } };
        changes.push(open);
      }
      if (line.startsWith('-')) {
        open.before.count += 1;
        before += 1;
      } else {
        open.now.count += 1;
        now += 1;
      }
    }
  }
  return changes;
}

/** What stands there now, with this one change taken back; every other byte stays as it is. */
export function withoutChange(before: string, now: string, change: DiffChange): string {
  const old = linesOf(before).slice(change.before.from, change.before.from + change.before.count);
  return linesOf(now)
    .toSpliced(change.now.from, change.now.count, ...old)
    .join('');
}

/** Each with its own end. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
