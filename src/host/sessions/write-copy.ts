/**
 * Writes a copy of a session in slices, each a transaction. Until the last of them nobody finds it; when one fails, what
 * was written goes again, and of a host that dies the next one removes it.
 */
import type { NewId } from '../../platform/clock.ts';
import type { Pace } from '../../platform/event-loop.ts';
import type { Item, Turn } from '../../protocol/model.ts';
import { countTurns } from '../../protocol/session-tokens.ts';
import type { OwnedMessage } from '../store/context.ts';
import type { FrozenHead, StoredSession } from '../store/sessions.ts';
import type { Store } from '../store/store.ts';
import { isAnswered } from './title-due.ts';
import { offeringOnly, type KeptResults } from './packed-results.ts';
import type { SessionSnapshotFile } from './snapshot.ts';
import { markOrigin, type Origin } from '../approvals/taint.ts';

export interface Copy {
  session: StoredSession;
  forkedFrom: string | undefined;
  /** Under the ids that they had: each gets a new one. */
  from: Pick<SessionSnapshotFile, 'turns' | 'items' | 'todo' | 'scratchpad'>;
  /** Whole: each call has its one result. By the turns of `from`. */
  context: readonly OwnedMessage[];
  /** By the items of `from`. */
  results: KeptResults;
  /** Files that its messages have; those that are gone are left out. */
  attachmentIds: readonly string[];
  origin: Origin;
  head: FrozenHead | null;
}

export interface CopyDeps {
  store: Store;
  newId: NewId;
  /** Where it rejects, the copy is no longer wanted. */
  pace: Pace;
  /** Nothing of the copy is seen; some of it stays until the next start. */
  onLeft: (error: unknown) => void;
}

/** Characters in one transaction, about: a slow disk takes them in a moment. */
const maxCharacters = 4_000_000;
/** So many rows take no time; a copy that is as small is one transaction. */
const rowsAtLeast = 100;
const rowsRemovedAtOnce = 2_000;

/** All of it or nothing. */
export async function writeCopy(copy: Copy, deps: CopyDeps): Promise<void> {
  const { store, pace } = deps;
  const rows = write(copy, deps);
  let isBegun = false;
  try {
    while (!store.transaction(() => writeSlice(rows, pace))) {
      isBegun = true;
      await pace.rest();
    }
  } catch (error) {
    if (isBegun) await remove(copy.session.summary.id, deps);
    throw error;
  }
}

/** True = that was all. */
function writeSlice(rows: Iterator<number>, pace: Pace): boolean {
  let characters = 0;
  for (let count = 1; ; count += 1) {
    const next = rows.next();
    if (next.done) return true;
    characters += next.value;
    if (characters > maxCharacters || (count >= rowsAtLeast && pace.isDue())) return false;
  }
}

async function remove(sessionId: string, { store, pace, onLeft }: CopyDeps): Promise<void> {
  try {
    while (!store.removeUnfinished(sessionId, rowsRemovedAtOnce)) await pace.rest().catch(() => undefined);
  } catch (error) {
    onLeft(error);
  }
}

/** Row by row; yields about how many characters each had. */
function* write(copy: Copy, { store, newId }: CopyDeps): Generator<number, void> {
  const { session, from, results } = copy;
  const { id } = session.summary;
  store.createUnfinished(session, copy.forkedFrom);
  // From now on nobody takes them for drafts; until now somebody may have.
  const attached = store.attachments(copy.attachmentIds);
  store.claimAttachments(
    id,
    attached.map((each) => each.id),
  );
  const turnIds = new Map<string, string>();
  for (const turn of from.turns) {
    // Files belong to the session whose tools brought them out, as their changes do.
    const { files: _, ...kept } = turn;
    const copied: Turn = { ...kept, id: newId('turn_') };
    turnIds.set(turn.id, copied.id);
    store.saveTurn(id, copied);
    yield lengthOf(copied);
  }
  for (const [index, item] of from.items.toSorted((a, b) => a.index - b.index).entries()) {
    const copied: Item = {
      ...offeringOnly(results, item),
      id: newId('item_'),
      turnId: turnIds.get(item.turnId) ?? '',
      index,
      // No compaction begins the first one: what was summarised elsewhere is not here to return to.
      ...(item.kind === 'summary' && { generation: 1 }),
    };
    store.saveItem(id, copied);
    const packed = results.get(item.id);
    if (packed) store.copyResult(id, copied.id, packed);
    yield lengthOf(copied) + (packed?.length ?? 0);
  }
  if (results.size > 0) store.makeRoom(id);
  const generation = store.beginGeneration(id, []);
  for (const [position, { message, turnId }] of copy.context.entries()) {
    const owner = turnIds.get(turnId ?? '') ?? null;
    store.copyMessage(id, generation, position, { message, turnId: owner });
    yield lengthOf(message);
  }
  // What it was called when it was copied holds until something is answered in it.
  store.setTitleDue(id, from.turns.filter(isAnswered).length + 1);
  const tokens = countTurns(from.turns, session.contextUsage?.windowTokens ?? null);
  if (tokens) store.setTokens(id, tokens);
  store.writeSessionData(id, 'todo', from.todo);
  store.writeSessionData(id, 'scratchpad', from.scratchpad);
  markOrigin(store, id, copy.origin, turnIds);
  if (copy.head) store.setHead(id, copy.head);
  if (!store.revealSession(id)) throw new Error(`The copy ${id} is gone`);
}

/** Of its texts: they are what is large. */
function lengthOf(row: Item | Turn | OwnedMessage['message']): number {
  let length = 0;
  for (const value of Object.values(row)) if (typeof value === 'string') length += value.length;
  return length;
}
