/** What the person is told while the first task runs: one thing at a time, and only while it is true. Pure. */
import type { SessionState } from '../../../protocol/reducer.ts';
import { latestTurn } from '../../stores/derive.ts';

export type TaskHint = 'begins' | 'works' | 'asks' | 'stop' | 'stopped' | 'finished' | 'failed';

/** null = there is nothing to say. */
export function taskHint(state: SessionState | null): TaskHint | null {
  const turn = latestTurn(state);
  if (!state || !turn) return null;
  switch (turn.status) {
    case 'running':
      if (turn.phase === 'stopping') return null;
      if (turn.phase === 'approval') return 'asks';
      // What it was shown for has been seen: now there is something to stop.
      if (wasAsked(state) || state.turns.length > 1) return 'stop';
      return state.todo && state.todo.steps.length > 0 ? 'works' : 'begins';
    case 'stopped':
      return 'stopped';
    case 'finished':
      return 'finished';
    case 'failed':
    case 'interrupted':
    case 'max_iterations':
      return 'failed';
    case 'queued':
      return null;
  }
}

function wasAsked({ items }: SessionState): boolean {
  return items.some((item) => item.kind === 'tool' && item.decision !== null);
}
