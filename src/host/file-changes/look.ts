/** What stands where something was changed, reached without a link, and whether it is still what was left there. */
import { dirname } from 'node:path';
import type { FileStat, ReadableFiles } from '../../platform/files.ts';
import type { EntryPlaces } from '../../platform/place-entry.ts';
import type { FileStanding } from '../../protocol/changed-files.ts';
import { isBeneath } from '../../rules/path-names.ts';
import { folderState, linkState, otherState, unreadState } from '../store/entry-state.ts';
import type { FileHistory } from '../store/file-steps.ts';
import { fingerprint } from '../tools/read-ledger.ts';

/** A larger file is neither kept nor taken back. */
export const maxKeptFileBytes = 16 * 1024 * 1024;

export interface LookDeps {
  files: ReadableFiles;
  places: Pick<EntryPlaces, 'readLink'>;
}

export type Seen =
  | { kind: 'file'; stat: FileStat; bytes: Uint8Array; state: string }
  | { kind: 'link' | 'folder' | 'other' | 'too_large'; stat: FileStat; state: string }
  | { kind: 'none'; state: null }
  /** A link is on the way, it lies outside by now, or the disk refuses. */
  | { kind: 'unreachable'; why: string };

/** What can be replaced. */
export type Present = Extract<Seen, { stat: FileStat }>;

export async function lookAt(
  deps: LookDeps,
  workspace: string,
  { path, shown }: Pick<FileHistory['last'], 'path' | 'shown'>,
): Promise<Seen> {
  try {
    const why = await inTheWay(deps.files, workspace, path, shown);
    if (why !== null) return { kind: 'unreachable', why };
    const stat = await deps.files.lstat(path);
    return stat === null ? { kind: 'none', state: null } : await lookAtEntry(deps, path, stat);
  } catch (error) {
    return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
  }
}

async function lookAtEntry({ files, places }: LookDeps, path: string, stat: FileStat): Promise<Seen> {
  if (stat.kind === 'folder') return { kind: 'folder', stat, state: folderState };
  if (stat.kind === 'other') return { kind: 'other', stat, state: otherState };
  if (stat.kind === 'link')
    return { kind: 'link', stat, state: linkState((await places.readLink(path)) ?? '') };
  if (stat.size > maxKeptFileBytes) return { kind: 'too_large', stat, state: unreadState(stat) };
  const bytes = await files.readBytes(path, maxKeptFileBytes);
  return { kind: 'file', stat, bytes, state: fingerprint(bytes) };
}

/** What is not there yet is in nobody's way. null = the way is free. */
async function inTheWay(
  files: ReadableFiles,
  workspace: string,
  path: string,
  shown: string,
): Promise<string | null> {
  if (!isBeneath(workspace, path)) return `${shown} is not in the session’s folder.`;
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const stat = await files.lstat(folder);
    if (stat?.kind === 'folder')
      return (await files.realPath(folder)) === folder ? null : `${shown} is reached through a link.`;
    if (stat?.kind === 'link') return `${shown} is reached through a link.`;
    if (stat) return `A file stands where the folder of ${shown} was.`;
    if (folder === workspace) return null;
  }
}

export function standingOf(seen: Seen, { last, live }: FileHistory): FileStanding {
  if (seen.kind === 'unreachable') return 'unreachable';
  if (seen.state !== last.after) return seen.kind === 'none' ? 'gone' : 'changed';
  // Somebody else was at it between two changes, and has it back.
  const newest = live.at(-1);
  if (newest && newest.after !== last.after) return 'changed';
  return newest ? 'written' : 'undone';
}
