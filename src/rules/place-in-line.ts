/** How long somebody's turn waits, in turns that come before it. Pure. */
import type { Turn } from '../protocol/model.ts';

/**
 * 0 = none does: it runs, is over, or there is no such turn.
 * @param turns of its session, in their order
 */
export function placeInLine(
  turns: readonly Pick<Turn, 'id' | 'status' | 'phase' | 'ahead'>[],
  turnId: string,
): number {
  const at = turns.findIndex(({ id }) => id === turnId);
  const turn = turns[at];
  if (turn?.status === 'running') return waitsForGpu(turn);
  if (turn?.status !== 'queued') return 0;
  const before = turns.slice(0, at).filter(({ status }) => status === 'queued' || status === 'running');
  return before.length + before.reduce((sum, each) => sum + waitsForGpu(each), 0);
}

const waitsForGpu = ({ status, phase, ahead = 0 }: Pick<Turn, 'status' | 'phase' | 'ahead'>): number =>
  status === 'running' && phase === 'lease' ? ahead : 0;
