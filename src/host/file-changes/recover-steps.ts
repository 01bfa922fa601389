/** What a host that died left open in its records of file changes: what stands there tells whether each one happened. */
import { dirname } from 'node:path';
import { removeDrafts, type Files } from '../../platform/files.ts';
import type { Log } from '../../platform/log.ts';
import type { EntryPlaces } from '../../platform/place-entry.ts';
import type { Store } from '../store/store.ts';
import { lookAt, type Seen } from './look.ts';
import { closeStep } from './recorder.ts';

export interface RecoverDeps {
  store: Pick<Store, 'openFileSteps' | 'dropFileStep' | 'settleFileStep'>;
  files: Files;
  places: EntryPlaces;
  log: Log;
}

type OpenStep = ReturnType<Store['openFileSteps']>[number];

/** Once, before any turn. */
export async function recoverSteps({ store, files, places, log }: RecoverDeps): Promise<void> {
  for (const open of store.openFileSteps()) {
    const seen = await lookAt({ files, places }, dirname(open.path), open);
    const never = isAsBefore(open, seen);
    if (!never) await giveMode(places, open, seen, log);
    closeStep(() => (never ? store.dropFileStep(open.id) : store.settleFileStep(open.id)), log);
    // A folder that is gone holds none.
    await removeDrafts(files, dirname(open.path)).catch(() => undefined);
  }
}

function isAsBefore({ before, after, mode, afterMode }: OpenStep, seen: Seen): boolean {
  if (seen.kind === 'unreachable' || seen.state !== before) return false;
  return before !== after || (afterMode !== null && 'stat' in seen && seen.stat.mode === mode);
}

/** Permissions come after the content: a host may have died between the two. Others than it found are somebody else's. */
async function giveMode(
  places: EntryPlaces,
  { path, after, mode, afterMode }: OpenStep,
  seen: Seen,
  log: Log,
): Promise<void> {
  if (afterMode === null || (seen.kind !== 'file' && seen.kind !== 'folder')) return;
  const isHalfDone = seen.state === after && (mode === null || seen.stat.mode === mode);
  if (!isHalfDone) return;
  try {
    await places.setMode(path, afterMode);
  } catch (error) {
    log.error('A file could not be given the permissions that an undo had begun to give', error, { path });
  }
}
