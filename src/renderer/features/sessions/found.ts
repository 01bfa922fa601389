/** What a search brought, each session once: those that are called so first, then those in which it was said. Pure. */
import type { SessionSummary } from '../../../protocol/model.ts';
import type { Search, SearchHit } from '../../stores/shown-slice.ts';
import { searchSessions } from './group-words.ts';

export type Hit = SearchHit & { itemId: string };

export interface FoundSession {
  session: SessionSummary;
  hits: Hit[];
}

function hitsOf({ found }: Search): Hit[] {
  return found?.hits.flatMap((hit) => (hit.itemId === null ? [] : [{ ...hit, itemId: hit.itemId }])) ?? [];
}

/** @param among those that the list would show, archived ones with them */
export function foundSessions(
  among: readonly SessionSummary[],
  query: string,
  search: Search,
): FoundSession[] {
  const hits = Map.groupBy(hitsOf(search), ({ sessionId }) => sessionId);
  const called = searchSessions(among, query).toSorted((a, b) => b.updatedAt - a.updatedAt);
  const ids = new Set([...called.map(({ id }) => id), ...hits.keys()]);
  const known = new Map(among.map((session) => [session.id, session]));
  return [...ids].flatMap((id) => {
    const session = known.get(id);
    return session ? [{ session, hits: hits.get(id) ?? [] }] : [];
  });
}
