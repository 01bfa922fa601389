/** The order of a queue: what may run next, what waits for something else, and how one order becomes another. Pure. */
import type { SessionSnapshot, Turn, WaitsFor } from '../../protocol/model.ts';
import type { Change } from './session-state.ts';

/** The next message that may run. */
export const nextQueued = (turns: readonly Turn[]): Turn | undefined =>
  queueOf(turns).find((turn) => !isHeld(turn));

/** Nothing of it starts any more; only what a program waits for goes on. */
export const holdQueue = (turns: readonly Turn[], waitsFor: WaitsFor): Change[] =>
  queueOf(turns)
    .filter((turn) => !isHeld(turn) && !isForProgram(turn))
    .map(({ id: turnId }) => ({ turnId, event: { type: 'turn/held', waitsFor } }));

/** What waited for this goes on, before what waits for something else. */
export const releaseQueue = (turns: readonly Turn[], waitsFor: WaitsFor) =>
  changesTo(
    queueOf(turns),
    queueOf(turns).map((turn) => (turn.waitsFor === waitsFor ? released(turn) : turn)),
  );

/** As it is loaded: what could have run when its process ended does not start later by itself. */
export const heldAtLoad = (snapshot: SessionSnapshot): SessionSnapshot => ({
  ...snapshot,
  turns: snapshot.turns.map((turn) =>
    turn.status === 'queued' && !isHeld(turn) ? { ...turn, waitsFor: 'person' } : turn,
  ),
});

/** A new message goes before those that are held. `last`: the turns that then stand at the end, in order. */
export const enqueue = (turns: readonly Turn[], turn: Turn): { changes: Change[]; last: string[] } =>
  changesTo(queueOf(turns), [...queueOf(turns), turn]);

/** Sent by a program, which waits for its text. */
export const isForProgram = ({ mayPlan }: Turn): boolean => mayPlan === false;

const isHeld = ({ waitsFor }: Turn): boolean => waitsFor !== undefined;

export const queueOf = (turns: readonly Turn[]): Turn[] => turns.filter(({ status }) => status === 'queued');

export const released = ({ waitsFor: _before, ...turn }: Turn): Turn => turn;

/**
 * What is held stands behind all that may run: a session is read from its end, and turns that began come in the order
 * of their items. Those that come later now leave the line and stand at its end again.
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
