import type { Item, ToolItem } from '../../../protocol/model.ts';

export interface ChangedFile {
  path: string;
  added: number;
  removed: number;
  /** Of its newest change. */
  itemId: string;
}

/** Finished calls of a turn that have written. */
export function editsOf(items: Item[], turnId: string | undefined): ToolItem[] {
  return items.filter(
    (item): item is ToolItem =>
      item.turnId === turnId &&
      item.kind === 'tool' &&
      item.state === 'done' &&
      item.display?.kind === 'diff',
  );
}

/** Files that were written, from the diffs of the calls; in the order of their first change. */
export function changedFiles(edits: ToolItem[]): ChangedFile[] {
  const files = new Map<string, ChangedFile>();
  for (const { id, display } of edits) {
    if (display?.kind !== 'diff') continue;
    const { path, added, removed } = display;
    const file = files.get(path) ?? { added: 0, removed: 0 };
    files.set(path, { path, added: file.added + added, removed: file.removed + removed, itemId: id });
  }
  return [...files.values()];
}
