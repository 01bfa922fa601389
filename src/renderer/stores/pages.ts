/**
 * What of a long session is in the window: its newest items, which events change, and a stretch of older ones while
 * they are read. Pure; the stretch is bounded, so a session of any length costs the same.
 */
import type { Item, Turn } from '../../protocol/model.ts';
import type { SessionState } from '../../protocol/reducer.ts';

/** As the host hands it out. */
export interface Page {
  items: Item[];
  turns: Turn[];
  hasOlder: boolean;
}

/** Older items in one stretch. */
export interface Past extends Page {
  /** Items between these and the newest ones are not in the window. */
  hasNewer: boolean;
}

/** What the transcript shows: the newest items and the past that reaches up to them, or a past that does not. */
export interface History extends Past {
  todo?: SessionState['todo'];
}

/** Items that are asked for at once. */
export const pageSize = 200;
/** Of the past so many items stay; those furthest from what is read are let go. */
export const pastLimit = 3000;
/** From here on the oldest of the newest items become part of the past. */
const liveLimit = 1200;
const liveKept = 600;

export function historyOf(state: SessionState, past: Past | null): History {
  const todo = state.todo && { todo: state.todo };
  if (past === null) {
    const { items, turns, hasOlder } = state;
    return { items, turns, hasOlder, hasNewer: false, ...todo };
  }
  const known = new Set(state.turns.map(({ id }) => id));
  return {
    // What events say of a turn is newer than what its page said.
    turns: [...past.turns.filter(({ id }) => !known.has(id)), ...state.turns],
    items: past.hasNewer ? past.items : [...past.items, ...state.items],
    hasOlder: past.hasOlder,
    hasNewer: past.hasNewer,
    ...todo,
  };
}

/** Where the next page ends, by the index after it; null = there is none on that side. */
export function olderBefore({ items, hasOlder }: Page): number | null {
  return hasOlder ? (items[0]?.index ?? null) : null;
}

export function newerBefore(state: SessionState, past: Past | null): number | null {
  const last = past?.hasNewer ? past.items.at(-1) : undefined;
  return last ? Math.min(last.index + 1 + pageSize, firstLive(state)) : null;
}

/** The page before what is shown. Items that are there already (a race with a new snapshot) are not doubled. */
export function withOlder(state: SessionState, past: Past | null, page: Page): Past {
  const shown = past ?? { items: [], turns: [], hasNewer: false };
  const first = shown.items[0]?.index ?? firstLive(state);
  const items = [...page.items.filter(({ index }) => index < first), ...shown.items];
  const kept = items.slice(0, pastLimit);
  return {
    items: kept,
    turns: turnsOf(kept, [...page.turns, ...shown.turns]),
    hasOlder: page.hasOlder,
    hasNewer: shown.hasNewer || kept.length < items.length,
  };
}

/** The page after it, which was asked for up to `before`. */
export function withNewer(state: SessionState, past: Past, page: Page, before: number): Past {
  const last = past.items.at(-1)?.index ?? -1;
  const live = firstLive(state);
  const fresh = page.items.filter(({ index }) => index > last && index < live);
  const kept = [...past.items, ...fresh].slice(-pastLimit);
  return {
    items: kept,
    turns: turnsOf(kept, [...past.turns, ...page.turns]),
    hasOlder: past.hasOlder || kept.length < past.items.length + fresh.length,
    hasNewer: before < live,
  };
}

/** A stretch somewhere else; null where it is no more than what is there anyway. */
export function stretchAt(state: SessionState, page: Page, before: number): Past | null {
  const live = firstLive(state);
  const items = page.items.filter(({ index }) => index < live);
  if (items.length === 0) return null;
  return { items, turns: page.turns, hasOlder: page.hasOlder, hasNewer: before < live };
}

interface Held {
  state: SessionState;
  past: Past | null;
}

/** A session that works all day: what is over and far from the end becomes part of the past. */
export function settle({ state, past }: Held): Held {
  if (state.items.length <= liveLimit) return { state, past };
  const open = state.items.findIndex(({ completedAt }) => completedAt === null);
  const end = Math.min(state.items.length - liveKept, open === -1 ? Infinity : open);
  if (end <= 0) return { state, past };
  const left = state.items.slice(0, end);
  const live = { ...state, items: state.items.slice(end), hasOlder: true };
  const reached = past ?? { items: [], turns: [], hasOlder: state.hasOlder, hasNewer: false };
  return { state: live, past: reached.hasNewer ? reached : grown(reached, left, state.turns) };
}

/**
 * A new snapshot begins later than what was shown: what lies between stays where the past reaches up to it. Where it begins
 * behind items that this window never had, the past is let go, and pages lead back to it.
 */
export function resume(before: SessionState | null, past: Past | null, state: SessionState): Past | null {
  if (past === null || before?.session.id !== state.session.id) return null;
  if (past.hasNewer) return past;
  const live = firstLive(state);
  const last = (before.items.at(-1) ?? past.items.at(-1))?.index ?? -1;
  if (last + 1 < live) return null;
  const left = before.items.filter(({ index }) => index < live);
  return grown(past, left, before.turns);
}

function grown(past: Past, items: Item[], turns: Turn[]): Past {
  const all = [...past.items, ...items];
  const kept = all.slice(-pastLimit);
  const hasOlder = past.hasOlder || kept.length < all.length;
  return { items: kept, turns: turnsOf(kept, [...past.turns, ...turns]), hasOlder, hasNewer: false };
}

function firstLive(state: SessionState): number {
  return state.items[0]?.index ?? Infinity;
}

/** Of these turns those that the items belong to, each once; the one told last wins. */
function turnsOf(items: readonly Item[], turns: readonly Turn[]): Turn[] {
  const needed = new Set(items.map(({ turnId }) => turnId));
  const known = new Map<string, Turn>();
  for (const turn of turns) if (needed.has(turn.id)) known.set(turn.id, turn);
  return [...known.values()];
}
