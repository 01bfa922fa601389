import type { SessionSummary } from '../../../protocol/model.ts';
import { sessions as text } from '../../text.ts';

export interface SessionGroup {
  key: keyof typeof text.groups;
  sessions: SessionSummary[];
}

const order: SessionGroup['key'][] = ['pinned', 'today', 'yesterday', 'week', 'older'];
const dayMs = 86_400_000;

/** Pinned first, then by day; newest first inside each. Empty groups are left out. */
export function groupSessions(all: SessionSummary[], now: number): SessionGroup[] {
  const groups = Map.groupBy(
    all.toSorted((a, b) => b.updatedAt - a.updatedAt),
    (session) => groupOf(session, now),
  );
  return order.flatMap((key) => {
    const sessions = groups.get(key);
    return sessions ? [{ key, sessions }] : [];
  });
}

/** Every word of the query must be in the title or the folder. */
export function searchSessions(all: SessionSummary[], query: string): SessionSummary[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return all.filter((session) => {
    const haystack = `${session.title}\n${session.workspace}`.toLowerCase();
    return words.every((word) => haystack.includes(word));
  });
}

/** "09:12" within two days, "Thu" within a week, "12 Nov" before; a pinned one says how old it is. */
export function whenText(session: Pick<SessionSummary, 'pinned' | 'updatedAt'>, now: number): string {
  const days = daysBetween(session.updatedAt, now);
  if (session.pinned && days > 0) return text.daysAgo(days);
  const date = new Date(session.updatedAt);
  if (days <= 1) return date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });
  if (days < 7) return date.toLocaleDateString('en-GB', { weekday: 'short' });
  return date.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' });
}

function groupOf(session: SessionSummary, now: number): SessionGroup['key'] {
  if (session.pinned) return 'pinned';
  const days = daysBetween(session.updatedAt, now);
  if (days <= 0) return 'today';
  if (days === 1) return 'yesterday';
  return days < 7 ? 'week' : 'older';
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Calendar days, in the person's own time zone. */
function daysBetween(then: number, now: number): number {
  return Math.round((midnight(now) - midnight(then)) / dayMs);
}
