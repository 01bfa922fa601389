/** What a turn leaves behind for the one that comes next. */
import { writing } from '../loop/endings.ts';
import type { SessionSnapshot } from '../../protocol/model.ts';

/**
 * Whether the history is read again at the end of this turn. A stop while nothing had come, or between two requests,
 * starts nothing: the person wants the GPU quiet. Behind a failure nobody knows how the engine is.
 */
export function leavesWork(
  { turns, items }: Pick<SessionSnapshot, 'turns' | 'items'>,
  turnId: string,
): boolean {
  const turn = turns.find(({ id }) => id === turnId);
  if (turn?.status === 'finished' || turn?.status === 'max_iterations') return true;
  if (turn?.status !== 'stopped') return false;
  const stopped = items.findLast((item) => item.turnId === turnId && item.kind === 'stopped');
  return stopped?.kind === 'stopped' && (writing.has(stopped.during) || afterLines.has(stopped.during));
}

/** The reply was there, and its calls were on. */
const afterLines: ReadonlySet<string> = new Set(['approval', 'tool']);
