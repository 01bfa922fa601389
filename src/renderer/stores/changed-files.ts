/** Which files the agent changed, and what of it can be taken back. Pure. */
import type { ChangedFile, Item, SessionSnapshot } from '../../protocol/model.ts';

/** The newest turn with changes in force, and its files; null = there is none. */
export function latestChange(state: SessionSnapshot | null): { turnId: string; paths: string[] } | null {
  const files = state?.files ?? [];
  const last = new Set(files.flatMap(({ turns }) => turns.at(-1) ?? []));
  const turnId = state?.turns.findLast(({ id }) => last.has(id))?.id ?? [...last].at(-1);
  if (turnId === undefined) return null;
  return { turnId, paths: files.filter(({ turns }) => turns.at(-1) === turnId).map(({ path }) => path) };
}

/** A file as the right column lists it. */
export interface FileRow extends Pick<ChangedFile, 'path' | 'added' | 'removed'> {
  /** null = the host has no record of it: the session came from elsewhere, or is older than the record. */
  record: ChangedFile | null;
}

/** What the host recorded; without that, what the calls of the newest turn say. */
export function fileRows(files: readonly ChangedFile[] | undefined, edits: readonly Item[]): FileRow[] {
  if (files) return files.map((record) => ({ ...record, record }));
  const rows = new Map<string, FileRow>();
  for (const item of edits) {
    if (item.kind !== 'tool' || item.display?.kind !== 'diff') continue;
    const { path, added, removed } = item.display;
    const row = rows.get(path) ?? { path, added: 0, removed: 0, record: null };
    rows.set(path, { ...row, added: row.added + added, removed: row.removed + removed });
  }
  return [...rows.values()];
}

/** What one turn did to its files, from its calls; `standing`: as far as the record can say without a look at the disk. */
export function turnChange(
  edits: readonly Item[],
  files: readonly ChangedFile[] | undefined,
  turnId: string,
): { rows: FileRow[]; standing: 'in_force' | 'undone' | 'unrecorded' } {
  const rows = fileRows(undefined, edits).map((row) => ({
    ...row,
    record: files?.find(({ path }) => path === row.path) ?? null,
  }));
  if (rows.every(({ record }) => record === null)) return { rows, standing: 'unrecorded' };
  const inForce = rows.some(({ record }) => record?.turns.includes(turnId));
  const undone = rows.every(({ record }) => record?.undone);
  return { rows, standing: !inForce && undone ? 'undone' : 'in_force' };
}

/** The files of a turn whose changes are in force, and those that an undo took back; as far as the record says. */
export function wayBack(
  items: readonly Item[],
  files: readonly ChangedFile[],
  turnId: string,
): { undo: string[]; redo: string[] } {
  const { rows } = turnChange(editsOf(items, turnId), files, turnId);
  const paths = (want: (record: ChangedFile) => boolean): string[] =>
    rows.flatMap(({ path, record }) => (record && want(record) ? [path] : []));
  const inForce = ({ turns }: ChangedFile): boolean => turns.includes(turnId);
  return { undo: paths(inForce), redo: paths((record) => record.undone && !inForce(record)) };
}

/** Finished calls that have written; of one turn, where it is given. */
export function editsOf(items: readonly Item[], turnId?: string): Item[] {
  return items.filter(
    (item) =>
      item.kind === 'tool' &&
      item.state === 'done' &&
      item.display?.kind === 'diff' &&
      (turnId === undefined || item.turnId === turnId),
  );
}

/** The newest change of a file among the items that are here. */
export function newestEdit(items: readonly Item[], path: string): string | null {
  const item = items.findLast(
    (each) =>
      each.kind === 'tool' &&
      each.state === 'done' &&
      each.display?.kind === 'diff' &&
      each.display.path === path,
  );
  return item?.id ?? null;
}
