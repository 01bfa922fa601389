/** A folder as it stands, with the contents that a way back needs. What is known from the last time is not read again. */
import { join } from 'node:path';
import type { EntryPlaces } from '../../../platform/place-entry.ts';
import type { FileStat } from '../../../platform/files.ts';
import { fingerprint } from '../../tools/read-ledger.ts';
import { folderState, linkState, otherState, unreadState } from '../../store/entry-state.ts';
import { maxKeptFileBytes } from '../look.ts';
import type { KeptContents } from './kept-contents.ts';
import { isSettled, stampOf, type Entry, type Manifest } from './manifest.ts';
import {
  scanFolder,
  type FoundEntry,
  type ScanDeps,
  type ScanLimits,
  type ScanProblem,
} from './scan-folder.ts';

export interface ManifestDeps extends ScanDeps {
  places: Pick<EntryPlaces, 'readLink'>;
  contents: KeptContents;
  /** `win32` has no permission bits. */
  platform: string;
}

export interface ManifestLimits extends ScanLimits {
  /** Of all contents of the folder. */
  keptBytes: number;
  /** For reading them; what is not read by then is not kept. */
  readMs: number;
}

/** @param covered paths that stay covered, whatever is ignored by now */
export async function readManifest(
  deps: ManifestDeps,
  workspace: string,
  known: Manifest | null,
  covered: Iterable<string>,
  limits: ManifestLimits,
): Promise<Manifest | ScanProblem> {
  const scan = await scanFolder(deps, workspace, covered, limits);
  if (typeof scan === 'string') return scan;
  const entries = new Map<string, Entry>();
  const until = deps.clock.monotonic() + limits.readMs;
  let keptLeft = limits.keptBytes;
  const entryOf = async (found: FoundEntry): Promise<Entry | null> => {
    const { path, stat } = found;
    const before = known?.entries.get(path);
    const isKnown = before && known && isSettled(before, stampOf(stat), known.at);
    const room = Math.min(keptLeft, maxKeptFileBytes);
    const hasRoom = stat.kind !== 'file' || stat.size <= room;
    if (stat.kind === 'file' && hasRoom) keptLeft -= stat.size;
    if (isKnown && (before.isKept || !hasRoom)) return before;
    return readEntry(deps, workspace, found, before, hasRoom && deps.clock.monotonic() <= until);
  };
  for (let at = 0; at < scan.covered.length; at += atOnce) {
    const some = scan.covered.slice(at, at + atOnce);
    const read = await Promise.all(some.map(entryOf));
    for (const [index, entry] of read.entries()) {
      const path = some[index]?.path;
      if (entry !== null && path !== undefined) entries.set(path, entry);
    }
  }
  return { at: scan.at, entries, uncovered: scan.uncovered };
}

/** Each waits for the disk. */
const atOnce = 16;

/** null = it is gone by now. */
async function readEntry(
  deps: ManifestDeps,
  workspace: string,
  { path, stat }: FoundEntry,
  before: Entry | undefined,
  isRead: boolean,
): Promise<Entry | null> {
  const entry = {
    mode: deps.platform === 'win32' || stat.kind === 'link' ? 0 : stat.mode,
    stamp: stampOf(stat),
    changedMs: stat.changedMs,
  };
  const real = join(workspace, path);
  if (stat.kind === 'folder') return { ...entry, state: folderState, isKept: true };
  if (stat.kind === 'other') return { ...entry, state: otherState, isKept: false };
  if (stat.kind === 'link') {
    const target = await deps.places.readLink(real).catch(() => null);
    return target === null ? null : { ...entry, state: linkState(target), isKept: true };
  }
  if (!isRead) return { ...entry, state: unreadState(stat), isKept: false };
  const bytes = await deps.files.readBytes(real, maxKeptFileBytes).catch(() => null);
  if (bytes === null) return { ...entry, ...unreadable(stat, before) };
  const state = fingerprint(bytes);
  await deps.contents.keep(state, bytes);
  return { ...entry, state, isKept: true };
}

/** Where only its permissions are others, its content is what it was. */
function unreadable(stat: FileStat, before: Entry | undefined): Pick<Entry, 'state' | 'isKept'> {
  const stamp = stampOf(stat);
  return before?.stamp.startsWith(stamp.slice(0, stamp.lastIndexOf(' ') + 1))
    ? { state: before.state, isKept: before.isKept }
    : { state: unreadState(stat), isKept: false };
}
