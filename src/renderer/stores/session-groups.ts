/** The sessions in the order in which the list shows them. Pure. */
import type { SessionSummary } from '../../protocol/model.ts';
import { windowPlatform } from '../../protocol/principal.ts';
import { foldersOf } from './folders.ts';

/** How the list is divided. */
export const groupings = ['folder', 'date'] as const;
export type Grouping = (typeof groupings)[number];

/** Beside the folders: a group has no name of its own, the window says it. */
export type GroupKind =
  'pinned' | 'folder' | 'people' | 'programs' | 'none' | 'today' | 'yesterday' | 'week' | 'older';

export interface SessionGroup {
  kind: GroupKind;
  /** null = every group of this kind is the same one. */
  folder: { path: string; name: string } | null;
  sessions: SessionSummary[];
}

const dayMs = 86_400_000;
/** Of sessions that nobody else writes in. */
const programPlatforms: ReadonlySet<string> = new Set(['api', 'schedule', 'cli', 'gateway']);

export const isArchived = ({ archivedAt }: Pick<SessionSummary, 'archivedAt'>): boolean => archivedAt != null;

export const platformOf = ({ place }: Pick<SessionSummary, 'place'>): string =>
  place?.platform ?? windowPlatform;

/** Pinned first, then by folder or by day; newest first inside each. Empty groups are left out. */
export function groupSessions(
  all: readonly SessionSummary[],
  { by, now }: { by: Grouping; now: number },
): SessionGroup[] {
  const newestFirst = all.toSorted((a, b) => b.updatedAt - a.updatedAt);
  const pinned = newestFirst.filter((session) => session.pinned);
  const others = newestFirst.filter((session) => !session.pinned);
  const groups = by === 'date' ? byDate(others, now) : byFolder(others);
  return [group('pinned', pinned), ...groups].filter(({ sessions }) => sessions.length > 0);
}

const group = (kind: GroupKind, sessions: SessionSummary[]): SessionGroup => ({
  kind,
  folder: null,
  sessions,
});

const days = ['today', 'yesterday', 'week', 'older'] as const;

function byDate(sessions: SessionSummary[], now: number): SessionGroup[] {
  const groups = Map.groupBy(sessions, ({ updatedAt }) => dayOf(daysBetween(updatedAt, now)));
  return days.map((kind) => group(kind, groups.get(kind) ?? []));
}

/** The folder with the newest session first, then what others write, then what has no folder yet. */
function byFolder(sessions: SessionSummary[]): SessionGroup[] {
  const kinds = Map.groupBy(sessions, kindOf);
  const inFolders = kinds.get('folder') ?? [];
  const groups = Map.groupBy(inFolders, ({ workspace }) => workspace);
  const folders = foldersOf(inFolders).map(({ path, name }): SessionGroup => ({
    kind: 'folder',
    folder: { path, name },
    sessions: groups.get(path) ?? [],
  }));
  const rest = (['people', 'programs', 'none'] as const).map((kind) => group(kind, kinds.get(kind) ?? []));
  return [...folders, ...rest].map((each) => ({ ...each, sessions: withForksBelow(each.sessions) }));
}

/** It is its person's own, and works in a folder that they have chosen. */
export const isInFolder = (session: SessionSummary): boolean => kindOf(session) === 'folder';

function kindOf(session: SessionSummary): GroupKind {
  const platform = platformOf(session);
  if (programPlatforms.has(platform)) return 'programs';
  if (platform !== windowPlatform) return 'people';
  // What was imported works in an empty folder of Andiron's own until one is chosen.
  return session.importedFrom == null ? 'folder' : 'none';
}

/** A fork stands right below what it was forked from; a family stands where its newest session would. */
export function withForksBelow(newestFirst: readonly SessionSummary[]): SessionSummary[] {
  const here = new Map(newestFirst.map((session) => [session.id, session]));
  const forks = Map.groupBy(newestFirst, ({ forkedFrom }) => forkedFrom ?? '');
  const listed = new Set<string>();
  const family = (session: SessionSummary): SessionSummary[] => {
    if (listed.has(session.id)) return [];
    listed.add(session.id);
    const below = (forks.get(session.id) ?? []).toSorted((a, b) => a.createdAt - b.createdAt);
    return [session, ...below.flatMap(family)];
  };
  return newestFirst.flatMap((session) => family(rootOf(session, here)));
}

function rootOf(session: SessionSummary, here: ReadonlyMap<string, SessionSummary>): SessionSummary {
  const seen = new Set<string>();
  let root = session;
  for (;;) {
    const origin = here.get(root.forkedFrom ?? '');
    if (!origin || seen.has(origin.id)) return root;
    seen.add(origin.id);
    root = origin;
  }
}

function dayOf(daysAgo: number): (typeof days)[number] {
  if (daysAgo <= 0) return 'today';
  if (daysAgo === 1) return 'yesterday';
  return daysAgo < 7 ? 'week' : 'older';
}

function midnight(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Calendar days, in the person's own time zone. */
export function daysBetween(then: number, now: number): number {
  return Math.round((midnight(now) - midnight(then)) / dayMs);
}
