/** Whether what a request names belongs to whoever asks. */
import type { Principal } from '../../protocol/principal.ts';
import type { PeopleStore } from '../store/people-store.ts';

/** Sessions alone are named by an id that others may know; memory is each person's from the start. */
export function isOwn(
  store: Pick<PeopleStore, 'sessionOwner'>,
  { userId }: Principal,
  params: unknown,
): boolean {
  const named = typeof params === 'object' && params !== null && 'sessionId' in params;
  return !named || (typeof params.sessionId === 'string' && store.sessionOwner(params.sessionId) === userId);
}
