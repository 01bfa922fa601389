/** A command that ran twice, in its sandbox and then outside, has changed what either of them did. */
import type { CommandChanges } from '../../protocol/changed-files.ts';
import type { ToolDisplay } from '../../protocol/model.ts';

export function joinedDisplays(first: ToolDisplay | null, second: ToolDisplay | null): ToolDisplay | null {
  if (first?.kind !== 'command' || second?.kind !== 'command' || !first.changes) return second;
  return { ...second, changes: second.changes ? joined(first.changes, second.changes) : second.changes };
}

function joined(first: CommandChanges, second: CommandChanges): CommandChanges {
  const files = new Map(first.files.map((file) => [file.path, file]));
  let both = 0;
  for (const file of second.files) {
    const before = files.get(file.path);
    if (before) both += 1;
    files.set(file.path, {
      ...file,
      added: file.added + (before?.added ?? 0),
      removed: file.removed + (before?.removed ?? 0),
      what: before?.what === 'new' && file.what !== 'removed' ? 'new' : file.what,
    });
  }
  const uncovered = new Map(first.uncovered.map((place) => [place.path, place.changed]));
  for (const { path, changed } of second.uncovered) {
    const before = uncovered.get(path) ?? 0;
    uncovered.set(path, changed === null || before === null ? null : Math.max(before, changed));
  }
  return {
    files: [...files.values()],
    total: first.total + second.total - both,
    uncovered: [...uncovered].map(([path, changed]) => ({ path, changed })),
  };
}
