/** Versions of a message beside each other: one is in force, the others keep all that followed in them (audit-U9). */
import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';
import { contextUsageSchema, type SessionSnapshot, type Turn } from '../../protocol/model.ts';
import { todoSchema } from '../../protocol/plan.ts';
import type { ContextStore } from '../store/context.ts';
import type { FactStore } from '../store/fact-store.ts';
import type { TranscriptStore } from '../store/transcript.ts';
import type { Change } from './session-state.ts';

/** How a version was left, kept under the turn that it begins with. */
const leftSchema = z.object({
  turns: z.array(z.string()),
  /** Of the context: what its last turn left for the model to read. */
  generation: z.number().int(),
  context: contextUsageSchema.nullable(),
  todo: todoSchema.optional(),
});

/** What of a session its versions need. */
interface VersionOwner {
  readonly id: string;
  readonly state: SessionSnapshot;
  readonly log: { reload: () => void };
  refuseBusy(): void;
  commit(changes: readonly Change[], also?: () => void): void;
  personChanged(detail: string): void;
}

type VersionStore = Pick<TranscriptStore, 'allTurns' | 'saveTurn' | 'placeLast' | 'replaceForNow'> &
  Pick<ContextStore, 'generation' | 'returnToGeneration'> &
  Pick<FactStore, 'readSessionData' | 'writeSessionData'>;

const keyOf = (turnId: string): string => `version:${turnId}`;

/** Writes down how to come back to the version that begins with `turn`. Within the transaction that replaces it. */
export function leaveVersion(
  session: Pick<VersionOwner, 'id' | 'state'>,
  turn: Turn,
  turns: readonly Turn[],
  store: VersionStore,
): void {
  const { context, todo } = session.state;
  const followed = turns.slice(turns.indexOf(turn)).filter(({ replaced }) => !replaced);
  store.writeSessionData(session.id, keyOf(turn.id), {
    turns: followed.map(({ id }) => id),
    generation: store.generation(session.id),
    context,
    ...(todo && { todo }),
  });
  store.replaceForNow(session.id, turn.id);
}

/**
 * The version that begins with this turn is in force again, where it was left. Files on disk stay as they are. Throws
 * `busy` while a turn runs or waits, `not_found` where no version in force has it beside it.
 */
export function chooseVersion(session: VersionOwner, turnId: string, store: VersionStore): void {
  session.refuseBusy();
  const turns = store.allTurns(session.id);
  const current = turns.find(({ replaced, versions }) => !replaced && versions?.includes(turnId));
  if (!current) throw unknownVersion();
  if (current.id === turnId) return;
  // Where its beginning is not in memory all that is makes room.
  const known = session.state.turns;
  const left = known.find(({ id }) => id === current.id) ?? known[0] ?? current;
  const back = returnTo(session, turnId, { id: left.id, versions: current.versions }, store);
  if (!back) throw unknownVersion();
  session.commit(back.changes, () => {
    leaveVersion(session, current, turns, store);
    back.write();
  });
  session.log.reload();
  session.personChanged('You chose another version of a message.');
}

/**
 * Takes back a message that waits, with what `also` writes. Where it was to be another version of one, that one is in
 * force again.
 */
export function withdrawTurn(session: VersionOwner, turn: Turn, store: VersionStore, also: () => void): void {
  const versions = turn.versions?.filter((id) => id !== turn.id) ?? [];
  // Whatever comes into force is placed last, so the last of the others was in force before this one.
  const before = store.allTurns(session.id).findLast(({ id }) => versions.includes(id));
  const back = before ? returnTo(session, before.id, { id: turn.id, versions }, store) : null;
  session.commit([{ turnId: turn.id, event: { type: 'turn/withdrawn' } }, ...(back?.changes ?? [])], () => {
    also();
    back?.write();
  });
  if (back) session.log.reload();
}

/**
 * What brings a version back; null = nobody knows any more how it was left. The turn that stands in its place is given,
 * with the versions that there are.
 */
function returnTo(
  session: Pick<VersionOwner, 'id' | 'state'>,
  turnId: string,
  { id, versions = [] }: Pick<Turn, 'id' | 'versions'>,
  store: VersionStore,
): { changes: Change[]; write: () => void } | null {
  const left = store.readSessionData(session.id, keyOf(turnId), leftSchema);
  const kept = new Set(left?.turns);
  const [first, ...others] = store.allTurns(session.id).filter(({ id }) => kept.has(id));
  if (!left || first?.id !== turnId) return null;
  const beside = versions.length > 1 ? { versions: [...versions] } : {};
  const turns = [{ ...inForce({ ...first, versions: undefined }), ...beside }, ...others.map(inForce)];
  const { context, todo = { steps: [] }, generation } = left;
  const changes: Change[] = [{ turnId: id, event: { type: 'turn/chosen', turns } }];
  if (context) changes.push({ turnId: id, event: { type: 'context/measured', context } });
  const hasTodo = session.state.todo !== undefined;
  if (hasTodo) changes.push({ turnId: id, event: { type: 'todo/changed', todo } });
  const write = (): void => {
    for (const turn of turns) store.saveTurn(session.id, turn);
    store.placeLast(session.id, [...kept]);
    store.returnToGeneration(session.id, generation);
    if (hasTodo) store.writeSessionData(session.id, 'todo', todo);
  };
  return { changes, write };
}

const inForce = ({ replaced: _replaced, switchable: _switchable, versions, ...turn }: Turn): Turn => ({
  ...turn,
  ...(versions && { versions }),
});

function unknownVersion(): AndironError {
  return new AndironError(
    'not_found',
    'This version can’t be chosen any more.',
    'Fork the session from it, or ask again.',
  );
}
