import { useMemo, useState } from 'react';
import { isWorking } from '../../stores/attention.ts';
import { groupSessions, isArchived } from '../../stores/session-groups.ts';
import { useHost, useUi } from '../../stores/stores.ts';
import { sessions as text } from '../../text.ts';
import { foundSessions, type FoundSession } from './found.ts';
import { foundRows, listRows, rowSizes, type ListRow } from './list-rows.ts';
import { useToday } from './use-today.ts';
import { useSpokenMemo } from '../../components/language.ts';

/** What the person has chosen to see of all sessions. */
export interface Listing {
  /** The only folder whose sessions are listed; null = all. */
  folder: string | null;
  /** Those that were put away. */
  archived: boolean;
}

interface Found {
  words: string;
  /** Everything was looked at; null = not yet. */
  isWhole: boolean | null;
}

interface Rows {
  rows: ListRow[];
  /** null = nothing is looked for. */
  found: Found | null;
  /** Shows all that was found in this session. */
  open: (sessionId: string) => void;
}

/** What is listed, top to bottom: all, what a folder leaves of it, what a search found, or what the rail keeps. */
export function useRows(rail: boolean, listing: Listing, query: string): Rows {
  const wanted = rail ? '' : query.trim();
  const listed = useListed(rail, listing);
  const { sessions, found } = useFound(listing, wanted);
  const [opened, setOpened] = useState<{ query: string; ids: ReadonlySet<string> }>({
    query: '',
    ids: new Set(),
  });
  const sizes = useUi((ui) => rowSizes[ui.textSize]);
  const ofSearch = useMemo(
    () => foundRows(sessions, { opened: opened.query === wanted ? opened.ids : new Set(), sizes }),
    [sessions, opened, wanted, sizes],
  );
  return {
    rows: wanted === '' ? listed : ofSearch,
    found: wanted === '' ? null : found,
    open: (id) =>
      setOpened((before) => ({
        query: wanted,
        ids: new Set([...(before.query === wanted ? before.ids : []), id]),
      })),
  };
}

function useListed(rail: boolean, { folder, archived }: Listing): ListRow[] {
  const all = useHost((host) => host.sessions);
  const known = useHost((host) => host.defaults !== null);
  const openId = useUi((ui) => ui.openSessionId);
  const unread = useUi((ui) => ui.attention.unread);
  const sizes = useUi((ui) => rowSizes[ui.textSize]);
  const by = useUi((ui) => ui.grouping);
  const now = useToday();
  const shown = useMemo(() => {
    if (rail) {
      const isKept = (id: string): boolean => id === openId || unread.includes(id);
      return all.filter(
        (session) => isKept(session.id) || isWorking(session) || (session.pinned && !isArchived(session)),
      );
    }
    return all.filter(
      (session) => isArchived(session) === archived && (folder === null || session.workspace === folder),
    );
  }, [all, rail, folder, archived, openId, unread]);
  const draft = openId === null && known && !archived;
  return useSpokenMemo(
    () => listRows(groupSessions(shown, { by, now }), { draft, headings: !rail, sizes }),
    [shown, by, now, draft, rail, sizes],
  );
}

/** Of all sessions that the filter leaves; without one, archived ones are found too. */
function useFound(
  { folder, archived }: Listing,
  query: string,
): { sessions: readonly FoundSession[]; found: Found } {
  const all = useHost((host) => host.sessions);
  const search = useUi((ui) => ui.search);
  return useSpokenMemo(() => {
    const isAmong = (session: (typeof all)[number]): boolean =>
      (!archived || isArchived(session)) && (folder === null || session.workspace === folder);
    const sessions = query === '' ? [] : foundSessions(all.filter(isAmong), query, search);
    const places = sessions.reduce((sum, { hits }) => sum + Math.max(1, hits.length), 0);
    const isWhole = search.found?.complete ?? null;
    const words = isWhole === null ? text.searching : text.matches(places, sessions.length);
    return { sessions, found: { words, isWhole } };
  }, [all, folder, archived, query, search]);
}
