/** What the row of a session in the list says. */
import type { SessionStatus, SessionSummary, Turn } from '../../protocol/model.ts';

export function statusOf(turns: readonly Turn[], isRunning: boolean, isAsking: boolean): SessionStatus {
  if (isAsking) return 'asking';
  if (isRunning) return turns.some(({ phase }) => phase === 'lease') ? 'queued' : 'running';
  const last = turns.findLast(({ status, replaced }) => status !== 'queued' && !replaced);
  return last?.status === 'failed' ? 'failed' : 'idle';
}

/** A name and a pin put sessions in order; only what is said and done makes one new again. */
export const isTidying = (changes: Partial<SessionSummary>): boolean =>
  Object.keys(changes).every((key) => key === 'title' || key === 'pinned');
