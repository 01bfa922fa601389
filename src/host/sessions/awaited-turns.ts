/** Those who wait for a turn of a session to be over: programs that want its text (A1). */
import type { Turn } from '../../protocol/model.ts';

export function createAwaitedTurns(turns: () => readonly Turn[]) {
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
    /** The turn once nothing of it follows; null when it was taken back before it began, or the session went away. */
    whenClosed(turnId: string): Promise<Turn | null> {
      const known = waiting.get(turnId) ?? Promise.withResolvers<Turn | null>();
      waiting.set(turnId, known);
      check();
      return known.promise;
    },
    /** The turns have changed. */
    check,
    /** The session goes away. */
    giveUp(): void {
      for (const { resolve } of waiting.values()) resolve(null);
      waiting.clear();
    },
  };
}
