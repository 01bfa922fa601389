/**
 * What stands at a path, in one word, as the record of changes has it: the fingerprint of a file's bytes, or one of these.
 * null = nothing. Pure.
 */
import type { FileStat } from '../../platform/files.ts';

export const folderState = 'folder';
/** A pipe, a socket, a device. */
export const otherState = 'other';
const link = 'link:';
const unread = 'unread:';

export const linkState = (target: string): string => link + target;

/** A file that is too large to be kept, or cannot be read: the same for as long as it is not written. */
export const unreadState = ({ identity, size, modifiedMs }: FileStat): string =>
  `${unread}${identity}:${String(size)}:${String(modifiedMs)}`;

export type ReadState =
  | { kind: 'none' | 'folder' | 'other' | 'unread' }
  | { kind: 'file'; hash: string }
  | { kind: 'link'; target: string };

export function readState(state: string | null): ReadState {
  if (state === null) return { kind: 'none' };
  if (state === folderState) return { kind: 'folder' };
  if (state === otherState) return { kind: 'other' };
  if (state.startsWith(link)) return { kind: 'link', target: state.slice(link.length) };
  return state.startsWith(unread) ? { kind: 'unread' } : { kind: 'file', hash: state };
}
