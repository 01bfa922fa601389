/** Which sessions have something that was not looked at: their turn ended while another session was open. Pure. */
import type { SessionSummary } from '../../protocol/model.ts';

export interface Attention {
  /** Worked when the window last heard of them; kept, so that an end which no window saw is told as well. */
  working: string[];
  unread: string[];
}

export function isWorking({ status }: Pick<SessionSummary, 'status'>): boolean {
  return status === 'running' || status === 'asking' || status === 'queued';
}

/** The same object when nothing changed. */
export function attentionAfter(
  before: Attention,
  sessions: SessionSummary[],
  openSessionId: string | null,
): Attention {
  const working = sessions.filter(isWorking).map(({ id }) => id);
  const ended = before.working.filter((id) => id !== openSessionId && !working.includes(id));
  const known = new Set(sessions.map(({ id }) => id));
  const unread = [...before.unread, ...ended].filter(
    (id, at, all) => known.has(id) && id !== openSessionId && all.indexOf(id) === at,
  );
  const after = { working, unread };
  return sameIds(before.working, working) && sameIds(before.unread, unread) ? before : after;
}

function sameIds(one: string[], other: string[]): boolean {
  return one.length === other.length && one.every((id, at) => id === other[at]);
}
