/** Which files the agent changed, and what of it can be taken back. Pure. */
import type { ChangedFile, Item, SessionSnapshot } from '../../protocol/model.ts';
import { foldersAbove } from '../../rules/path-names.ts';

/** The newest turn with changes in force, and its files; null = there is none. */
export function latestChange(state: SessionSnapshot | null): { turnId: string; paths: string[] } | null {
  const files = state?.files ?? [];
  const last = new Set(files.flatMap(({ turns }) => turns.at(-1) ?? []));
  const turnId = state?.turns.findLast(({ id }) => last.has(id))?.id ?? [...last].at(-1);
  if (turnId === undefined) return null;
  return { turnId, paths: files.filter(({ turns }) => turns.at(-1) === turnId).map(({ path }) => path) };
}

/** A file as it is listed. */
export interface FileRow extends Pick<ChangedFile, 'path' | 'added' | 'removed'> {
  /** null = the host has no record of it: the session came from elsewhere, or is older than the record. */
  record: ChangedFile | null;
}

/** What the host recorded; without that, what the calls of the newest turn say. Folders are named by what is in them. */
export function fileRows(files: readonly ChangedFile[] | undefined, edits: readonly Item[]): FileRow[] {
  if (files) return withoutParents(files.map((record) => ({ ...record, record })));
  const rows = new Map<string, FileRow>();
  for (const { path, added, removed } of edits.flatMap(changesOf)) {
    const row = rows.get(path) ?? { path, added: 0, removed: 0, record: null };
    rows.set(path, { ...row, added: row.added + added, removed: row.removed + removed });
  }
  return withoutParents([...rows.values()]);
}

function withoutParents(rows: FileRow[]): FileRow[] {
  const parents = new Set(rows.flatMap(({ path }) => foldersAbove(path)));
  return rows.filter(({ path }) => !parents.has(path));
}

/** The files that a call changed, with its lines in each. */
function changesOf(item: Item): Pick<ChangedFile, 'path' | 'added' | 'removed'>[] {
  if (item.kind !== 'tool' || item.display === null) return [];
  const { display, state } = item;
  if (display.kind === 'diff') return state === 'done' ? [display] : [];
  // One that failed may have changed files all the same.
  return display.kind === 'command' ? (display.changes?.files ?? []) : [];
}

/** What one turn did to its files, from its calls; `standing`: as far as the record can say without a look at the disk. */
export function turnChange(
  edits: readonly Item[],
  files: readonly ChangedFile[] | undefined,
  turnId: string,
): { rows: FileRow[]; standing: 'in_force' | 'undone' | 'unrecorded' } {
  const records = new Map(files?.map((file) => [file.path, file]));
  const listed = fileRows(undefined, edits).map((row) => ({ ...row, record: records.get(row.path) ?? null }));
  const known = new Set(listed.map(({ path }) => path));
  // A command that changed more than its call lists.
  const isMore = edits.some((item) => isCutShort(item));
  const others = (isMore ? (files ?? []) : []).filter(
    ({ path, turns }) => turns.includes(turnId) && !known.has(path),
  );
  const rows = withoutParents([...listed, ...others.map((record) => ({ ...record, record }))]);
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

/** Calls that have changed files; of one turn, where it is given. */
export function editsOf(items: readonly Item[], turnId?: string): Item[] {
  return items.filter(
    (item) => (turnId === undefined || item.turnId === turnId) && changesOf(item).length > 0,
  );
}

/** Whether commands changed something that no list here shows. */
export const hasUnlisted = (items: readonly Item[]): boolean => items.some(isUnlisted);

function isUnlisted(item: Item): boolean {
  if (item.kind !== 'tool' || item.display?.kind !== 'command') return false;
  const { changes } = item.display;
  return !changes || changes.uncovered.length > 0;
}

function isCutShort(item: Item): boolean {
  if (item.kind !== 'tool' || item.display?.kind !== 'command') return false;
  const { changes } = item.display;
  return !!changes && changes.total > changes.files.length;
}

/** The newest change of a file among the items that are here. */
export function newestEdit(items: readonly Item[], path: string): string | null {
  return items.findLast((item) => changesOf(item).some((change) => change.path === path))?.id ?? null;
}
