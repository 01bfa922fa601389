/** Messages that wait: reworded, moved, held, sent. All that a person asks for is kept before it is told. */
import { AndironError } from '../../protocol/errors.ts';
import type { SessionSnapshot, Turn } from '../../protocol/model.ts';
import type { ModelReadiness } from '../../rules/choose-model.ts';
import type { TranscriptStore } from '../store/transcript.ts';
import { changesTo, queueOf, released, releaseQueue } from './queue-order.ts';
import type { SessionDeps } from './session-deps.ts';
import type { Change } from './session-state.ts';

type QueueStore = Pick<TranscriptStore, 'placeLast'>;

/** What of a session its queue needs. */
interface QueueOwner {
  readonly id: string;
  readonly state: SessionSnapshot;
  commit(changes: readonly Change[], also?: () => void): void;
  /** Starts what may run. */
  resume(): void;
}

/** A message has a text, or files that speak for themselves. */
export function refuseEmpty(text: string, attachments: readonly unknown[] = []): void {
  if (text === '' && attachments.length === 0)
    throw new AndironError('invalid_params', 'The message is empty.', 'Write a text, or attach a file.');
}

export function editQueued(session: QueueOwner, turnId: string, text: string): void {
  refuseEmpty(text, queuedTurn(session, turnId).attachments);
  session.commit([{ turnId, event: { type: 'turn/edited', text } }]);
}

/** To the place before that one; null = to the end of the queue. What waits for the person stays behind the rest. */
export function moveQueued(
  session: QueueOwner,
  turnId: string,
  before: string | null,
  store: QueueStore,
): void {
  const moved = queuedTurn(session, turnId);
  if (before === turnId) return;
  if (before !== null) queuedTurn(session, before);
  const others = queueOf(session.state.turns).filter(({ id }) => id !== turnId);
  const at = before === null ? others.length : others.findIndex(({ id }) => id === before);
  rearrange(session, others.toSpliced(at, 0, moved), store);
}

/** Sends what waits for the person; without an id all of it. */
export function resumeQueued(session: QueueOwner, turnId: string | undefined, store: QueueStore): void {
  if (turnId !== undefined) queuedTurn(session, turnId);
  const isResumed = ({ id, waitsFor }: Turn): boolean =>
    turnId === undefined ? waitsFor === 'person' : id === turnId;
  const order = queueOf(session.state.turns).map((turn) => (isResumed(turn) ? released(turn) : turn));
  rearrange(session, order, store);
  session.resume();
}

/** Would a turn of this session find a model? */
export const readiness = (
  { state: { session } }: Pick<QueueOwner, 'state'>,
  deps: Pick<SessionDeps, 'modelReadiness'>,
): ModelReadiness => deps.modelReadiness(session.profileId, session.model);

/** Sends what waited for a model, where one can be used now. */
export function sendWaiting(session: QueueOwner, deps: Pick<SessionDeps, 'modelReadiness' | 'store'>): void {
  const { changes, last } = releaseQueue(session.state.turns, 'model');
  if (changes.length === 0 || readiness(session, deps) !== 'ready') return;
  session.commit(changes, () => deps.store.placeLast(session.id, last));
  session.resume();
}

function rearrange(session: QueueOwner, order: readonly Turn[], store: QueueStore): void {
  const { changes, last } = changesTo(queueOf(session.state.turns), order);
  if (changes.length > 0) session.commit(changes, () => store.placeLast(session.id, last));
}

function queuedTurn(session: QueueOwner, turnId: string): Turn {
  const turn = session.state.turns.find(({ id, status }) => id === turnId && status === 'queued');
  if (turn) return turn;
  throw new AndironError(
    'not_found',
    'This message no longer waits in the queue.',
    'It may have begun: stop it, or send another message.',
  );
}
