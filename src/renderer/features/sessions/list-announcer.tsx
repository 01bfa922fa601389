import { useState } from 'react';
import type { SessionSummary } from '../../../protocol/model.ts';
import { sessions as text } from '../../text.ts';
import { useHost, useUi } from '../../stores/stores.ts';

/** Says, to those who do not see the list, which session behind the open one asks or has ended; nothing else. */
export function ListAnnouncer() {
  const sessions = useHost((host) => host.sessions);
  const openId = useUi((ui) => ui.openSessionId);
  const unread = useUi((ui) => ui.attention.unread);
  const loud = sessions.flatMap((session) => {
    if (session.id === openId) return [];
    const words = wordsFor(session, unread.includes(session.id));
    return words === null ? [] : [{ id: `${session.id} ${words}`, words: text.says(session.title, words) }];
  });
  // What was so when the window opened is no news.
  const [announced, setAnnounced] = useState(() => ({ ids: loud.map(({ id }) => id), words: '' }));
  const fresh = loud.filter(({ id }) => !announced.ids.includes(id));
  if (fresh.length > 0 || loud.length < announced.ids.length) {
    setAnnounced({ ids: loud.map(({ id }) => id), words: fresh.map(({ words }) => words).join('. ') });
  }
  return <output className="sr-only">{announced.words}</output>;
}

function wordsFor({ status }: SessionSummary, unread: boolean): string | null {
  if (status === 'asking') return text.marks.asking;
  if (!unread) return null;
  return status === 'failed' ? text.marks.failed : text.marks.unread;
}
