/** Puts in the place of what was seen what shall stand there, unless that has changed in this very moment. */
import { FileRefusedError, type EditableFiles, type Files } from '../../platform/files.ts';
import type { EntryPlaces } from '../../platform/place-entry.ts';
import { readState } from '../store/entry-state.ts';
import { writeOver } from '../tools/write-over.ts';
import type { Present, Seen } from './look.ts';

export interface ReplaceDeps {
  files: Pick<Files, 'remove' | keyof EditableFiles>;
  places: EntryPlaces;
}

export interface Replacement {
  workspace: string;
  path: string;
  seen: Exclude<Seen, { kind: 'unreachable' }>;
  /** What shall stand there; null = nothing. */
  to: string | null;
  /** Of a file; null otherwise. */
  content: Uint8Array | null;
  /** Permission bits; null = as they are, or the platform's default. */
  mode: number | null;
  /** Its other names (hard links) are to have what they have. */
  ofItsOwn: boolean;
}

/** Rejects with FileRefusedError `changed` where something else stands there by now, and as the disk does. */
export async function replaceEntry({ files, places }: ReplaceDeps, replacement: Replacement): Promise<void> {
  const { workspace, path, seen, to, content, mode, ofItsOwn } = replacement;
  const target = readState(to);
  if (to === seen.state) {
    if (mode !== null) await places.setMode(path, mode);
    return;
  }
  const present = seen.kind === 'none' ? null : seen;
  const isReplaced = target.kind === 'file' && seen.kind === 'file';
  // A link takes the place of a file in one move.
  const isMoved = target.kind === 'link' && seen.kind !== 'folder';
  if (present && !isReplaced && !isMoved) await remove({ files, places }, path, present);
  if (target.kind === 'file' && content !== null) {
    const stat = isReplaced ? seen.stat : null;
    await writeOver(files, { workspace, path, content, stat, mode, keepsLinks: !ofItsOwn });
    if (stat && mode !== null) await places.setMode(path, mode);
  } else if (target.kind === 'link') {
    if (present && isMoved) await assertSame(files, path, present);
    await places.placeLink(path, target.target);
  } else if (target.kind === 'folder') {
    await places.placeFolder(path, mode ?? defaultFolderMode);
  }
}

const defaultFolderMode = 0o755;

async function remove({ files, places }: ReplaceDeps, path: string, present: Present): Promise<void> {
  await assertSame(files, path, present);
  if (present.kind !== 'folder') {
    await files.remove(path);
    return;
  }
  // Whatever is in it was not made by what is taken back.
  if ((await files.readRealFolder(path)).length > 0) throw new FileRefusedError('changed', path);
  await places.removeEmptyFolder(path);
}

async function assertSame(files: Pick<Files, 'lstat'>, path: string, { kind, stat }: Present): Promise<void> {
  const now = await files.lstat(path);
  const isSame =
    now?.identity === stat.identity &&
    (kind === 'folder' || (now.modifiedMs === stat.modifiedMs && now.size === stat.size));
  if (!isSame) throw new FileRefusedError('changed', path);
}
