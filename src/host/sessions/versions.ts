/** Other versions of what was said: a turn edited or asked again, a session begun anew, a compaction undone (L2). */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { ItemOf, Sender, Turn, TurnPermission } from '../../protocol/model.ts';
import { countTurns } from '../prompt/compaction.ts';
import type { OwnedMessage } from '../store/context.ts';
import type { Store } from '../store/store.ts';
import { isCompaction } from './compaction-turn.ts';
import { beginLike, beginningOf } from './generations.ts';
import { leaveVersion } from './choose-version.ts';
import { claimFiles } from './message.ts';
import { refuseEmpty } from './queue.ts';
import type { Session } from './session.ts';
import type { Change } from './session-state.ts';

export interface NewVersion {
  /** null = the same message again. */
  text: string | null;
  /** undefined = those of the turn. */
  attachments?: readonly Attachment[] | undefined;
  /** undefined = nothing beside what the model says that the message asks for. */
  allow?: readonly TurnPermission[] | undefined;
}

/**
 * This turn and all after it become an earlier version: kept, and no part of the context any more. A new turn starts from
 * what the model had read before it.
 */
export function replaceTurn(
  session: Session,
  turnId: string,
  { text, attachments, allow }: NewVersion,
  store: Store,
): { turnId: string } {
  session.refuseBusy();
  const turns = store.allTurns(session.id);
  const turn = turns.find(({ id }) => id === turnId);
  if (!turn)
    throw new AndironError(
      'not_found',
      'This turn does not exist any more.',
      'Send its text as a new message.',
    );
  if (turn.replaced) {
    throw new AndironError(
      'not_found',
      'This is an earlier version of the conversation.',
      'Edit the newest version, or fork the session from here.',
    );
  }
  if (isCompaction(turn)) {
    throw new AndironError('not_found', 'There is no message in this turn.', 'Undo the summary instead.');
  }
  const before = contextBefore(session, turn, turns, store);
  const again = session.newTurn(text ?? turn.text, attachments ?? turn.attachments, {
    sender: text === null ? turn.sender : undefined,
    from: turn.from,
  });
  // The same message again is the same plan.
  const plan =
    text === null && turn.plan ? { plan: turn.plan, ...(turn.allow && { allow: turn.allow }) } : {};
  const versions = [...(turn.versions ?? [turn.id]), again.id];
  const next: Turn = { ...again, ...plan, ...(allow && { allow: [...allow] }), versions };
  refuseEmpty(next.text, next.attachments);
  session.commit(
    [...replaced(session, turnId, true), { turnId: next.id, event: { type: 'turn/queued', turn: next } }],
    () => {
      leaveVersion(session, turn, turns, store);
      // Written by the same transaction before; it is the one that is not replaced.
      store.saveTurn(session.id, next);
      claimFiles(store, session.id, next);
      beginLike(store, session.id, before.messages, before.generation);
    },
  );
  session.log.reload();
  session.personChanged(text === null ? 'You asked for another answer.' : 'You edited a message.');
  session.resume();
  return { turnId: next.id };
}

/** The context is empty again; todo list and scratchpad too. What was said stays to be read, as an earlier version. */
export function resetSession(session: Session, store: Store, reason = 'You reset the conversation.'): void {
  session.refuseBusy();
  const { context, todo } = session.state;
  const about = session.state.turns.at(-1)?.id ?? '';
  const changes: Change[] = replaced(session, null);
  if (todo) changes.push({ turnId: about, event: { type: 'todo/changed', todo: { steps: [] } } });
  if (context)
    changes.push({
      turnId: about,
      event: { type: 'context/measured', context: { ...context, usedTokens: 0, estimated: true } },
    });
  session.commit(changes, () => {
    store.replaceTurns(session.id, null);
    store.beginGeneration(session.id, []);
    store.writeSessionData(session.id, 'todo', { steps: [] });
    store.writeSessionData(session.id, 'scratchpad', {});
  });
  session.log.reload();
  session.personChanged(reason);
}

/** Refused while something runs or waits, and when there is nothing that a summary could stand for. */
export function startCompaction(session: Session, sender?: Sender): { turnId: string } {
  session.refuseBusy();
  if (countTurns(session.log.owned()) < 2) {
    throw new AndironError(
      'not_found',
      'There is nothing to summarise yet.',
      'The newest turn is never summarised. Try after the next one.',
    );
  }
  const turn = session.newTurn('', [], { sender });
  session.commit([{ turnId: turn.id, event: { type: 'turn/queued', turn } }]);
  session.personChanged('You asked for a summary.');
  session.resume();
  return { turnId: turn.id };
}

/** The context is what it was before this summary, and what was said since. */
export function undoCompaction(session: Session, itemId: string, store: Store): void {
  session.refuseBusy();
  const item = session.state.items.find(({ id }) => id === itemId) ?? store.item(session.id, itemId);
  if (item?.kind !== 'summary')
    throw new AndironError('not_found', 'This summary does not exist any more.', 'There is nothing to undo.');
  const messages = withoutSummary(session, item, store);
  const { context } = session.state;
  const changes: Change[] = [{ turnId: item.turnId, event: { type: 'compaction/undone', itemId } }];
  if (context) {
    const usedTokens = context.usedTokens + item.beforeTokens - item.afterTokens;
    changes.push({
      turnId: item.turnId,
      event: { type: 'context/measured', context: { ...context, usedTokens, estimated: true } },
    });
  }
  session.commit(changes, () => {
    if (!session.state.items.some(({ id }) => id === itemId))
      store.saveItem(session.id, { ...item, undone: true });
    beginLike(store, session.id, messages.context, messages.like);
  });
  session.log.reload();
  session.personChanged('You took a summary back.');
}

function withoutSummary(
  session: Session,
  item: ItemOf<'summary'>,
  store: Store,
): { context: OwnedMessage[]; like: number } {
  const inForce = store.generation(session.id);
  const beginning = beginningOf(store, session.id, inForce);
  if (item.undone || item.parentCallId !== undefined || beginning?.compaction !== item.generation) {
    throw new AndironError(
      'not_found',
      item.undone ? 'This summary was undone before.' : 'This summary can no longer be undone.',
      item.undone
        ? ''
        : 'The conversation was summarised again or changed since: undo the newer summary first, or fork from an earlier turn.',
    );
  }
  const since = session.log.owned().slice(beginning.messages);
  return { context: [...store.readGeneration(session.id, beginning.from), ...since], like: beginning.from };
}

/** The event marks those that windows have; older ones are marked in the store. */
function replaced(session: Session, turnId: string | null, switchable?: true): Change[] {
  const known = session.state.turns;
  const first = known.find(({ id }) => id === turnId) ?? known[0];
  return first
    ? [{ turnId: first.id, event: { type: 'turn/replaced', ...(switchable && { switchable }) } }]
    : [];
}

/**
 * A turn that never reached the log has no place in it: then what the next one began with, or all there is. Of turns
 * that were summarised before their session was copied, or made by an older Andiron, nobody knows it.
 */
function contextBefore(
  session: Session,
  turn: Turn,
  turns: readonly Turn[],
  store: Store,
): { messages: readonly OwnedMessage[]; generation: number } {
  const found = store.contextBefore(session.id, turn.id);
  if (found) return found;
  if (
    session.state.items.some(
      (item) => item.turnId === turn.id && (item.kind === 'text' || item.kind === 'tool'),
    )
  ) {
    throw new AndironError(
      'not_found',
      'What the model had read before this message is not known any more.',
      'Edit a later message, or send the changed one as a new one.',
    );
  }
  for (const later of turns.slice(turns.indexOf(turn) + 1)) {
    const next = later.replaced ? null : store.contextBefore(session.id, later.id);
    if (next) return next;
  }
  return { messages: session.log.owned(), generation: store.generation(session.id) };
}
