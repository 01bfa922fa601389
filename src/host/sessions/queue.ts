/** Messages that wait: reworded, moved, held, sent. All that a person asks for is kept before it is told. */
import { AndironError } from '../../protocol/errors.ts';
import type { Turn } from '../../protocol/model.ts';
import type { Store } from '../store/store.ts';
import { changesTo, isHeld, queueOf, released } from './queue-order.ts';
import type { Session } from './session.ts';

/** A message has a text, or files that speak for themselves. */
export function refuseEmpty(text: string, attachments: readonly unknown[] = []): void {
  if (text === '' && attachments.length === 0)
    throw new AndironError('invalid_params', 'The message is empty.', 'Write a text, or attach a file.');
}

export function editQueued(session: Session, turnId: string, text: string): void {
  refuseEmpty(text, queuedTurn(session, turnId).attachments);
  session.commit([{ turnId, event: { type: 'turn/edited', text } }]);
}

/** To the place before that one; null = to the end of the queue. What waits for the person stays behind the rest. */
export function moveQueued(session: Session, turnId: string, before: string | null, store: Store): void {
  const moved = queuedTurn(session, turnId);
  if (before === turnId) return;
  if (before !== null) queuedTurn(session, before);
  const others = queueOf(session.state.turns).filter(({ id }) => id !== turnId);
  const at = before === null ? others.length : others.findIndex(({ id }) => id === before);
  rearrange(session, others.toSpliced(at, 0, moved), store);
}

/** Sends what waits for the person; without an id all of it. */
export function resumeQueued(session: Session, turnId: string | undefined, store: Store): void {
  if (turnId !== undefined) queuedTurn(session, turnId);
  const isResumed = (turn: Turn): boolean => (turnId === undefined ? isHeld(turn) : turn.id === turnId);
  const order = queueOf(session.state.turns).map((turn) => (isResumed(turn) ? released(turn) : turn));
  rearrange(session, order, store);
  session.resume();
}

function rearrange(session: Session, order: readonly Turn[], store: Store): void {
  const { changes, last } = changesTo(queueOf(session.state.turns), order);
  if (changes.length > 0) session.commit(changes, () => store.placeLast(session.id, last));
}

function queuedTurn(session: Session, turnId: string): Turn {
  const turn = session.state.turns.find(({ id, status }) => id === turnId && status === 'queued');
  if (turn) return turn;
  throw new AndironError(
    'not_found',
    'This message no longer waits in the queue.',
    'It may have begun: stop it, or send another message.',
  );
}
