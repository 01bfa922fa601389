/** What the row of a session in the list says. */
import type { SessionStatus, SessionSummary, Turn } from '../../protocol/model.ts';
import { titleFrom, untitled } from './message.ts';

/** What can be said of it beside what happens in it. */
export type SummaryChanges = Partial<
  Pick<SessionSummary, 'title' | 'titledBy' | 'pinned' | 'archivedAt' | 'model' | 'profileId' | 'approvals'>
>;

/** What a message changes of it: the first one names it, and each brings it back to the list. null = nothing. */
export function listedAgain({ title, archivedAt }: SessionSummary, message: Turn): SummaryChanges | null {
  const changes = {
    ...(title === untitled && { title: titleFrom(message) }),
    ...(archivedAt != null && { archivedAt: null }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

export function statusOf(turns: readonly Turn[], isRunning: boolean, isAsking: boolean): SessionStatus {
  if (isAsking) return 'asking';
  if (isRunning) return turns.some(({ phase }) => phase === 'lease') ? 'queued' : 'running';
  const last = turns.findLast(({ status, replaced }) => status !== 'queued' && !replaced);
  return last?.status === 'failed' ? 'failed' : 'idle';
}

export const isWorking = ({ status }: Pick<SessionSummary, 'status'>): boolean =>
  status === 'running' || status === 'asking' || status === 'queued';

const tidying: ReadonlySet<string> = new Set<keyof SessionSummary>([
  'title',
  'titledBy',
  'pinned',
  'archivedAt',
]);

/** A name and a pin put sessions in order; only what is said and done makes one new again. */
export const isTidying = (changes: Partial<SessionSummary>): boolean =>
  Object.keys(changes).every((key) => tidying.has(key));
