import type { SessionSummary } from '../../protocol/model.ts';

export interface Folder {
  path: string;
  /** Its own name; the whole path where two folders are called alike. */
  name: string;
  sessions: number;
}

/** Where sessions work; the folder with the newest session first. */
export function foldersOf(sessions: readonly SessionSummary[]): Folder[] {
  const groups = Map.groupBy(
    sessions.toSorted((a, b) => b.updatedAt - a.updatedAt),
    ({ workspace }) => workspace,
  );
  const names = Map.groupBy(groups.keys(), folderName);
  return [...groups].map(([path, inside]) => ({
    path,
    name: names.get(folderName(path))?.length === 1 ? folderName(path) : path,
    sessions: inside.length,
  }));
}

/** Of either kind of system: sessions may come from the other one. */
export function folderName(path: string): string {
  return path.split(/[\\/]/).findLast((part) => part !== '') ?? path;
}
