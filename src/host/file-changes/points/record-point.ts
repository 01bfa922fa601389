/** What a command changed, as steps of the session's record: from what stood before it to what stands now. */
import { join } from 'node:path';
import type { Clock } from '../../../platform/clock.ts';
import type { CommandChanges } from '../../../protocol/changed-files.ts';
import { foldSteps } from '../../store/file-steps.ts';
import type { Store } from '../../store/store.ts';
import { diffDisplay } from '../../tools/diff-display.ts';
import { folderState, readState } from '../../store/entry-state.ts';
import { changesBetween, uncoveredBetween, type EntryChange } from './manifest.ts';
import type { EndedPoint } from './undo-points.ts';

export interface RecordDeps {
  store: Store;
  clock: Clock;
  /** Null = it was not kept. */
  contentOf: (sessionId: string, hash: string) => Promise<Uint8Array | null>;
}

/** In the display of one command. */
const maxListed = 200;
/** For counting lines, of all files of a command. */
const countMs = 1_000;
const maxCountedBytes = 512 * 1024;
/** Between the last sign of life of a host and what its command may still have done. */
const afterLifeMs = 1_000;
/** Whoever wrote it did so when the command was long over: it is no state that may be replaced. */
const laterState = 'unread:later';

interface Lines {
  added: number;
  removed: number;
}

/** null = what stands there now cannot be told. */
export async function recordPoint(deps: RecordDeps, point: EndedPoint): Promise<CommandChanges | null> {
  const { before, after, sessionId, callId, workspace } = point;
  if (typeof after === 'string') return null;
  const { store, clock } = deps;
  const histories = new Map(foldSteps(store.fileSteps(sessionId)).map((file) => [file.last.path, file]));
  const count = lineCounter(deps, sessionId);
  const steps: NewStep[] = [];
  const files: CommandChanges['files'] = [];
  for (const change of ownChanges(changesBetween(before, after), point, store)) {
    const path = join(workspace, change.path);
    const own = await count(change.before?.state ?? null, change.after?.state ?? null);
    const first = histories.get(path)?.first;
    const whole = first ? await count(first.before, change.after?.state ?? null) : own;
    steps.push({ ...stepOf(change, path), ...whole });
    files.push({ path: change.path, ...own, what: whatOf(change) });
  }
  if (steps.length > 0) store.addFileSteps(sessionId, callId, steps, clock.now());
  return {
    files: files.slice(0, maxListed),
    total: files.length,
    uncovered: uncoveredBetween(before, after).slice(0, maxListed),
  };
}

type NewStep = Parameters<Store['addFileSteps']>[2][number];

/** What others recorded meanwhile is theirs; what came after a dead host's last sign of life was somebody else. */
function ownChanges(
  changes: readonly EntryChange[],
  { workspace, lastStep, aliveUntil }: EndedPoint,
  store: Pick<Store, 'newestFileSteps'>,
): EntryChange[] {
  const meanwhile = store.newestFileSteps(lastStep);
  return changes.flatMap((change) => {
    const { path, before, after } = change;
    const other = meanwhile.get(join(workspace, path));
    if (other?.after === (after?.state ?? null)) return [];
    const isLater = after !== null && aliveUntil !== null && after.changedMs > aliveUntil + afterLifeMs;
    if (isLater && after.state !== folderState)
      return [{ path, before, after: { ...after, state: laterState } }];
    if (!other) return [change];
    const was = before ?? after;
    return [{ ...change, before: other.after === null || !was ? null : { ...was, state: other.after } }];
  });
}

const stepOf = ({ path: shown, before, after }: EntryChange, path: string): Omit<NewStep, keyof Lines> => ({
  kind: 'change',
  undoes: null,
  path,
  shown,
  before: before?.state ?? null,
  after: after?.state ?? null,
  mode: before?.mode ?? null,
  afterMode: after?.mode ?? null,
});

function whatOf({ before, after }: EntryChange): CommandChanges['files'][number]['what'] {
  if (before === null) return 'new';
  if (after === null) return 'removed';
  return before.state === after.state ? 'mode' : 'changed';
}

type Count = (before: string | null, after: string | null) => Promise<Lines>;

/** Lines of what is text and not too long; of the rest none. */
function lineCounter({ contentOf, clock }: RecordDeps, sessionId: string): Count {
  const until = clock.monotonic() + countMs;
  const textOf = async (state: string | null): Promise<string | null> => {
    const read = readState(state);
    if (read.kind !== 'file') return '';
    const bytes = await contentOf(sessionId, read.hash);
    if (bytes === null || bytes.length > maxCountedBytes || bytes.includes(0)) return null;
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  };
  return async (before, after) => {
    if (before === after || clock.monotonic() > until) return { added: 0, removed: 0 };
    const [old, now] = [await textOf(before), await textOf(after)];
    if (old === null || now === null) return { added: 0, removed: 0 };
    const { added, removed } = diffDisplay('', old, now);
    return { added, removed };
  };
}
