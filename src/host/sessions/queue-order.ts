/** The order of a queue: what may run next, what waits for the person, and how one order becomes another. Pure. */
import type { SessionSnapshot, Turn } from '../../protocol/model.ts';
import type { Change } from './session-state.ts';

/** The next message that may run. */
export const nextQueued = (turns: readonly Turn[]): Turn | undefined =>
  queueOf(turns).find((turn) => !isHeld(turn));

/** After Stop nothing starts until the person says so; only what a program waits for goes on. */
export const holdQueue = (turns: readonly Turn[], isAwaited: (turnId: string) => boolean): Change[] =>
  queueOf(turns)
    .filter((turn) => !isHeld(turn) && !isAwaited(turn.id))
    .map(({ id: turnId }) => ({ turnId, event: { type: 'turn/held', waitsFor: 'person' } }));

/** As it is loaded: what was queued when its process ended does not start later by itself. */
export const heldAtLoad = (snapshot: SessionSnapshot): SessionSnapshot => ({
  ...snapshot,
  turns: snapshot.turns.map((turn) =>
    turn.status === 'queued' && !isHeld(turn) ? { ...turn, waitsFor: 'person' } : turn,
  ),
});

/** A new message goes before those that wait for the person. `last`: the turns that then stand at the end, in order. */
export const enqueue = (turns: readonly Turn[], turn: Turn): { changes: Change[]; last: string[] } =>
  changesTo(queueOf(turns), [...queueOf(turns), turn]);

export const isHeld = ({ waitsFor }: Turn): boolean => waitsFor !== undefined;

export const queueOf = (turns: readonly Turn[]): Turn[] => turns.filter(({ status }) => status === 'queued');

export const released = ({ waitsFor: _before, ...turn }: Turn): Turn => turn;

/**
 * What waits for the person stands behind all that runs without them: a session is read from its end, and turns that
 * began come in the order of their items. Those that come later now leave the line and stand at its end again.
 */
export function changesTo(
  before: readonly Turn[],
  wanted: readonly Turn[],
): { changes: Change[]; last: string[] } {
  const order = [...wanted.filter((turn) => !isHeld(turn)), ...wanted.filter(isHeld)];
  const from = order.findIndex((turn, index) => turn !== before[index]);
  const again = from === -1 ? [] : order.slice(from);
  const known = new Set(before.map(({ id }) => id));
  const changes = again.flatMap((turn): Change[] => [
    ...(known.has(turn.id) ? [{ turnId: turn.id, event: { type: 'turn/withdrawn' } } as const] : []),
    { turnId: turn.id, event: { type: 'turn/queued', turn } },
  ]);
  return { changes, last: again.map(({ id }) => id) };
}
