/** What the person said yes to in the turn that runs, although the session has read what they did not write. */
import type { FarEffect } from '../../rules/approval.ts';

export type Confirmed = ReturnType<typeof createConfirmed>;

const keyOf = ({ kind, target }: FarEffect): string => `${kind} ${target}`;

/** Of one session, which has one turn at a time: with the next one nothing of it holds. */
export function createConfirmed() {
  let turn: string | null = null;
  let targets = new Set<string>();
  return {
    has: (turnId: string, effect: FarEffect): boolean => turn === turnId && targets.has(keyOf(effect)),
    add(turnId: string, effect: FarEffect): void {
      if (turn !== turnId) targets = new Set();
      turn = turnId;
      targets.add(keyOf(effect));
    },
  };
}
