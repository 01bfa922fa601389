import type { Item } from '../../../protocol/model.ts';

export interface ChangedFile {
  path: string;
  added: number;
  removed: number;
}

/** Files that a turn has written, from the diffs of its finished calls; in the order of their first change. */
export function changedFiles(items: Item[], turnId: string | undefined): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const item of items) {
    if (item.turnId !== turnId || item.kind !== 'tool') continue;
    if (item.state !== 'done' || item.display?.kind !== 'diff') continue;
    const { path, added, removed } = item.display;
    const file = files.get(path) ?? { path, added: 0, removed: 0 };
    files.set(path, { path, added: file.added + added, removed: file.removed + removed });
  }
  return [...files.values()];
}
