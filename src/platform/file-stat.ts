/** What is told of an entry in a folder. */

export type EntryKind = 'file' | 'folder' | 'link' | 'other';

export interface FileStat {
  kind: EntryKind;
  /** Bytes. */
  size: number;
  modifiedMs: number;
  /** When anything of it changed last, permissions and names too: no program can set it back. */
  changedMs: number;
  /** Permission bits. */
  mode: number;
  /** The same file as another stat with the same identity, whatever its path. */
  identity: string;
  /** Names that lead to it: more than one = it has hard links. */
  links: number;
}

interface Kinds {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}

export function kindOf(entry: Kinds): EntryKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'folder';
  return entry.isSymbolicLink() ? 'link' : 'other';
}

interface BigStat extends Kinds {
  size: bigint;
  mtimeNs: bigint;
  ctimeNs: bigint;
  mode: bigint;
  dev: bigint;
  ino: bigint;
  nlink: bigint;
}

export function toStat(found: BigStat): FileStat {
  return {
    kind: kindOf(found),
    size: Number(found.size),
    modifiedMs: Number(found.mtimeNs) / 1e6,
    changedMs: Number(found.ctimeNs) / 1e6,
    mode: Number(found.mode & 0o7777n),
    identity: `${String(found.dev)}:${String(found.ino)}`,
    links: Number(found.nlink),
  };
}
