/** Messages that wait behind a running turn: reworded, moved, sent after a crash. All of it is kept before it is told. */
import { AndironError } from '../../protocol/errors.ts';
import type { Turn } from '../../protocol/model.ts';
import type { Store } from '../store/store.ts';
import type { Session } from './session.ts';
import type { Change } from './session-state.ts';

/** A message has a text, or files that speak for themselves. */
export function refuseEmpty(text: string, attachments: readonly unknown[] = []): void {
  if (text === '' && attachments.length === 0)
    throw new AndironError('invalid_params', 'The message is empty.', 'Write a text, or attach a file.');
}

export function editQueued(session: Session, turnId: string, text: string): void {
  refuseEmpty(text, queuedTurn(session, turnId).attachments);
  session.commit([{ turnId, event: { type: 'turn/edited', text } }]);
}

/** To the place before that one; null = to the end of the queue. */
export function moveQueued(session: Session, turnId: string, before: string | null, store: Store): void {
  const moved = queuedTurn(session, turnId);
  if (before === turnId) return;
  if (before !== null) queuedTurn(session, before);
  const waiting = session.state.turns.filter(({ status }) => status === 'queued');
  const others = waiting.filter(({ id }) => id !== turnId);
  const at = before === null ? others.length : others.findIndex(({ id }) => id === before);
  const order = others.toSpliced(at, 0, moved);
  const from = order.findIndex((turn, index) => turn !== waiting[index]);
  if (from === -1) return;
  // Those that come later now leave the line and stand at its end again, all at once.
  const again = order.slice(from);
  const changes = again.flatMap((turn): Change[] => [
    { turnId: turn.id, event: { type: 'turn/withdrawn' } },
    { turnId: turn.id, event: { type: 'turn/queued', turn } },
  ]);
  session.commit(changes, () =>
    store.placeLast(
      session.id,
      again.map(({ id }) => id),
    ),
  );
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
