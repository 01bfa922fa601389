/** The whole change of a file in a session: what it was before the first one, against what stands there now. */
import type { FileView } from '../../protocol/changed-files.ts';
import { diffDisplay } from '../tools/diff-display.ts';
import type { Seen } from './look.ts';

/** A file with more lines is shown with a few around each change. */
const maxWholeLines = 2_000;

/** `original` null and kept = there was no file. */
export function wholeChange(
  path: string,
  seen: Seen,
  original: Uint8Array | null,
  isKept: boolean,
): FileView['whole'] {
  if (!isKept || seen.kind === 'unreachable') return { kind: 'not_kept' };
  if (seen.kind === 'too_large') return { kind: 'too_large' };
  const before = original ? decoded(original) : '';
  const now = seen.kind === 'file' ? decoded(seen.bytes) : '';
  if (before === null || now === null) return { kind: 'binary' };
  const isShort = Math.max(lineCount(before), lineCount(now)) <= maxWholeLines;
  return { kind: 'diff', diff: diffDisplay(path, before, now, isShort ? maxWholeLines : undefined) };
}

/** null = no text. */
function decoded(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    // Bytes that are no UTF-8: that is the answer.
    return null;
  }
}

const lineCount = (text: string): number => text.split('\n').length;
