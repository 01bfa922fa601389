/** What stands where a tool wrote, seen by the same checks as the tools have, and whether it is still what was written. */
import type { ReadableFiles, FileStat } from '../../platform/files.ts';
import type { FileStanding } from '../../protocol/changed-files.ts';
import type { FileHistory } from '../store/file-steps.ts';
import { fingerprint } from '../tools/read-ledger.ts';
import { ToolFailure } from '../tools/tool.ts';
import { locateTarget } from '../tools/workspace-path.ts';

/** What the tools refuse to change is not taken back either. */
export const maxKeptFileBytes = 5 * 1024 * 1024;

export type Seen =
  | { kind: 'file'; stat: FileStat; bytes: Uint8Array; hash: string }
  | { kind: 'none' }
  | { kind: 'too_large' }
  /** A link or a folder stands there now, it lies outside by now, or the disk refuses. */
  | { kind: 'unreachable'; why: string };

export async function lookAt(files: ReadableFiles, workspace: string, { last }: FileHistory): Promise<Seen> {
  try {
    const { path, stat } = await locateTarget(files, workspace, last.shown);
    if (path !== last.path) return { kind: 'unreachable', why: `${last.shown} is reached through a link.` };
    if (stat === null) return { kind: 'none' };
    if (stat.size > maxKeptFileBytes) return { kind: 'too_large' };
    const bytes = await files.readBytes(path, maxKeptFileBytes);
    return { kind: 'file', stat, bytes, hash: fingerprint(bytes) };
  } catch (error) {
    if (error instanceof ToolFailure) return { kind: 'unreachable', why: error.message };
    return { kind: 'unreachable', why: error instanceof Error ? error.message : String(error) };
  }
}

export function standingOf(seen: Seen, { last, live }: FileHistory): FileStanding {
  if (seen.kind === 'unreachable') return 'unreachable';
  if (hashOf(seen) === last.after) return live.length === 0 ? 'undone' : 'written';
  return seen.kind === 'none' ? 'gone' : 'changed';
}

/** null = no file; undefined = it cannot be told. */
export function hashOf(seen: Seen): string | null | undefined {
  if (seen.kind === 'file') return seen.hash;
  return seen.kind === 'none' ? null : undefined;
}
