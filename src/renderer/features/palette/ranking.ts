/** Which entries the palette lists for what was typed, in which order. Pure. */
import { match } from './match.ts';

type EntryGroup = 'sessions' | 'commands' | 'profiles' | 'models' | 'settings';

export interface Entry {
  /** The same every time, so that it can be remembered. */
  id: string;
  group: EntryGroup;
  name: string;
  /** Found by it too, but not marked: a folder, a description. */
  beside?: string;
  /** Before anything is typed it is listed only where this is not false: it belongs to another place. */
  isHere?: boolean;
  /** Why it cannot be run now; then it is listed only where its name is typed. */
  why: string | null;
}

interface Ranked<E extends Entry> {
  entry: E;
  /** Letters of its name that were typed. */
  marks: number[];
}

export interface RankedGroup<E extends Entry> {
  key: EntryGroup | 'recent';
  ranked: Ranked<E>[];
}

/** Without a query: enough to remember what there is, not more than is drawn in one frame. */
const shownAtRest: Readonly<Record<EntryGroup | 'recent', number>> = {
  recent: 5,
  sessions: 5,
  commands: 60,
  profiles: 8,
  models: 8,
  settings: 20,
};
/** What differs from day to day comes before the many commands, which are found by their names. */
const orderAtRest = ['recent', 'sessions', 'profiles', 'models', 'commands', 'settings'] as const;
const maxFound = 60;
/** What was run lately is worth this much more, the newest the most. */
const recencyWorth = 18;

/** `>` before the query asks for commands alone. */
export function rank<E extends Entry>(
  entries: readonly E[],
  typed: string,
  recent: readonly string[],
): RankedGroup<E>[] {
  const onlyCommands = typed.trimStart().startsWith('>');
  const query = typed.trimStart().replace(/^>\s*/, '').trim();
  const among = onlyCommands ? entries.filter(({ group }) => group === 'commands') : entries;
  if (query !== '') return found(among, query, recent);
  return atRest(among, recent, onlyCommands ? () => true : ({ isHere }) => isHere !== false);
}

/** What was run last is listed wherever it belongs, the others only where they are shown. */
function atRest<E extends Entry>(
  entries: readonly E[],
  recent: readonly string[],
  isShown: (entry: E) => boolean,
): RankedGroup<E>[] {
  const possible = entries.filter(({ why }) => why === null);
  const byId = new Map(possible.map((entry) => [entry.id, entry]));
  const last = recent.flatMap((id) => byId.get(id) ?? []).slice(0, shownAtRest.recent);
  return orderAtRest.flatMap((key) => {
    const all =
      key === 'recent'
        ? last
        : possible.filter((entry) => entry.group === key && isShown(entry) && !last.includes(entry));
    const ranked = all.slice(0, shownAtRest[key]).map((entry) => ({ entry, marks: [] }));
    return ranked.length === 0 ? [] : [{ key, ranked }];
  });
}

/** The first so many entries of all groups. */
export function firstOf<E extends Entry>(groups: readonly RankedGroup<E>[], most: number): RankedGroup<E>[] {
  let left = most;
  return groups.flatMap(({ key, ranked }) => {
    const some = ranked.slice(0, left);
    left -= some.length;
    return some.length === 0 ? [] : [{ key, ranked: some }];
  });
}

/** Groups stand in the order of their best entry. */
function found<E extends Entry>(
  entries: readonly E[],
  query: string,
  recent: readonly string[],
): RankedGroup<E>[] {
  const hits = entries.flatMap((entry) => {
    const hit = match(query, entry.name, entry.beside);
    if (!hit || (entry.why !== null && !isNamed(entry, query))) return [];
    const place = recent.indexOf(entry.id);
    const bonus = place === -1 ? 0 : recencyWorth / (1 + place / 4);
    // What cannot be run stands behind what can.
    return [{ entry, marks: hit.marks, score: hit.score + bonus - (entry.why === null ? 0 : 40) }];
  });
  const best = hits.toSorted((a, b) => b.score - a.score).slice(0, maxFound);
  const groups = new Map<EntryGroup, Ranked<E>[]>();
  for (const { entry, marks } of best) {
    groups.set(entry.group, [...(groups.get(entry.group) ?? []), { entry, marks }]);
  }
  return [...groups].map(([key, ranked]) => ({ key, ranked }));
}

/** Its name is meant: it begins with what was typed, or one of its words does. */
function isNamed({ name }: Entry, query: string): boolean {
  return query.length >= 3 && (match(query, name)?.score ?? 0) >= 50;
}
