/** Those who wait for a turn of a session to be over: programs that want its text (A1). */
import type { Turn } from '../../protocol/model.ts';

export interface AwaitedTurns {
  /** The turn once nothing of it follows; null when it was taken back before it began, or the session went away. */
  whenClosed(turnId: string): Promise<Turn | null>;
  /** The turns have changed. */
  check(): void;
  /** The session goes away. */
  giveUp(): void;
}

export function createAwaitedTurns(turns: () => readonly Turn[]): AwaitedTurns {
  const waiting = new Map<string, PromiseWithResolvers<Turn | null>>();

  const check = (): void => {
    for (const [turnId, { resolve }] of waiting) {
      const turn = turns().find(({ id }) => id === turnId);
      if (turn && !turn.closed) continue;
      waiting.delete(turnId);
      resolve(turn ?? null);
    }
  };

  return {
    whenClosed(turnId) {
      const known = waiting.get(turnId) ?? Promise.withResolvers<Turn | null>();
      waiting.set(turnId, known);
      check();
      return known.promise;
    },
    check,
    giveUp() {
      for (const { resolve } of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}
