/** Whether what a request names belongs to whoever asks. */
import { apiPlatform, type Principal } from '../../protocol/principal.ts';
import type { Store } from '../store/store.ts';

/** Sessions alone are named by an id that others may know; memory is each person's from the start. */
export function isOwn(
  store: Pick<Store, 'sessionOwner' | 'placeOf'>,
  { userId, tokenId }: Principal,
  params: unknown,
): boolean {
  const named = typeof params === 'object' && params !== null && 'sessionId' in params;
  if (!named) return true;
  const { sessionId } = params;
  if (typeof sessionId !== 'string' || store.sessionOwner(sessionId) !== userId) return false;
  return tokenId === null || isOfToken(store.placeOf(sessionId), tokenId);
}

/** A program has the conversations that it began, and none of the other ones of its person. */
const isOfToken = (place: ReturnType<Store['placeOf']>, tokenId: string): boolean =>
  place?.platform === apiPlatform && place.channel === tokenId;
