import type { SessionSummary } from '../../../protocol/model.ts';
import type { IconName } from '../../components/icon.tsx';
import { daysBetween, type GroupKind, type SessionGroup } from '../../stores/session-groups.ts';
import { dates, sessions as text } from '../../text.ts';

/** What stands above the first row of a group. */
export interface Heading {
  key: string;
  icon: IconName | null;
  label: string;
  /** The whole of it, when pointed at. */
  title?: string;
}

const icons: Partial<Record<GroupKind, IconName>> = {
  folder: 'folder',
  people: 'people',
  programs: 'run',
  none: 'note',
};

export function headingOf({ kind, folder }: SessionGroup): Heading {
  const icon = icons[kind] ?? null;
  if (folder) return { key: folder.path, icon, label: folder.name, title: folder.path };
  return { key: kind, icon, label: kind === 'folder' ? '' : text.groups[kind] };
}

/** Every word of the query must be in the title or the folder. */
export function searchSessions(all: readonly SessionSummary[], query: string): SessionSummary[] {
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
  if (days <= 1) return dates.timeOfDay(session.updatedAt);
  return days < 7 ? dates.shortWeekday(session.updatedAt) : dates.shortDay(session.updatedAt);
}
