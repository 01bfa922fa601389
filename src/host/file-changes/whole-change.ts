/** The whole change of a file in a session: what it was before the first one, against what stands there now. */
import type { FileView } from '../../protocol/changed-files.ts';
import { readState } from '../store/entry-state.ts';
import { diffChanges, withoutChange } from '../../rules/diff-changes.ts';
import { diffDisplay } from '../tools/diff-display.ts';
import type { Seen } from './look.ts';

/** More is neither compared nor drawn. */
const maxShownBytes = 5 * 1024 * 1024;
/** A file with more lines is shown with a few around each change. */
const maxWholeLines = 2_000;

/** @param original what it was (null = nothing), with its content where it was a file that is kept */
export function wholeChange(
  path: string,
  seen: Seen,
  original: { state: string | null; bytes: Uint8Array | null },
): FileView['whole'] {
  const isKept = readState(original.state).kind !== 'file' || original.bytes !== null;
  if (!isKept || seen.kind === 'unreachable') return { kind: 'not_kept' };
  const sizes = [original.bytes?.length ?? 0, seen.kind === 'file' ? seen.bytes.length : 0];
  if (seen.kind === 'too_large' || Math.max(...sizes) > maxShownBytes) return { kind: 'too_large' };
  const before = textOf(original.state, original.bytes);
  const now = textOf(seen.state, seen.kind === 'file' ? seen.bytes : null);
  if (before === null || now === null) return { kind: 'binary' };
  const isShort = Math.max(lineCount(before), lineCount(now)) <= maxWholeLines;
  return { kind: 'diff', diff: diffDisplay(path, before, now, isShort ? maxWholeLines : undefined) };
}

/**
 * A file with one of its changes taken back. null = it is no change of a text from one file to another, or those are not
 * as many as were shown.
 */
export function contentWithout(
  path: string,
  seen: Extract<Seen, { kind: 'file' }>,
  original: { state: string | null; bytes: Uint8Array | null },
  { at, of }: { at: number; of: number },
): { bytes: Uint8Array; added: number; removed: number } | null {
  if (readState(original.state).kind !== 'file') return null;
  const whole = wholeChange(path, seen, original);
  const [before, now] = [textOf(original.state, original.bytes), textOf(seen.state, seen.bytes)];
  if (whole.kind !== 'diff' || before === null || now === null) return null;
  const changes = diffChanges(whole.diff.hunks);
  const change = changes[at];
  if (!change || changes.length !== of) return null;
  const text = withoutChange(before, now, change);
  const { added, removed } = diffDisplay(path, before, text);
  return { bytes: new TextEncoder().encode(text), added, removed };
}

/** A link is the one line that says where it leads. null = no text. */
function textOf(state: string | null, bytes: Uint8Array | null): string | null {
  const read = readState(state);
  if (read.kind === 'link') return `→ ${read.target}\n`;
  if (read.kind === 'none' || read.kind === 'folder') return '';
  if (bytes === null) return null;
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    // Bytes that are no UTF-8: that is the answer.
    return null;
  }
}

const lineCount = (text: string): number => text.split('\n').length;
