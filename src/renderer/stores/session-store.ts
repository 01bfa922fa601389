/** The open session: the host's own reducer over the host's own events, so both hold the same state (design 2). */
import { createStore } from 'zustand/vanilla';
import type { SessionEvent } from '../../protocol/events.ts';
import type { Item } from '../../protocol/model.ts';
import { reduceSession, type SessionState } from '../../protocol/reducer.ts';

/** A message on its way to the host: shown at once, so Send turns into Stop in the same frame. */
export interface Sending {
  text: string;
  since: number;
  /** Known once the host has answered; the message leaves when its turn is in the state. */
  turnId: string | null;
  /** Stop was pressed before the host had answered with the turn's id. */
  stopRequested: boolean;
}

export interface SessionStoreState {
  sessionId: string | null;
  /** null = being read, or no session is open. */
  state: SessionState | null;
  /** The host does not know this session. */
  missing: boolean;
  sending: Sending | null;
  loadingOlder: boolean;
}

export type SessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore() {
  return createStore<SessionStoreState>(() => ({
    sessionId: null,
    state: null,
    missing: false,
    sending: null,
    loadingOlder: false,
  }));
}

export function applySessionEvents(store: SessionStore, events: SessionEvent[]): void {
  store.setState((current) => {
    if (!current.state) return current;
    const state = events.reduce(reduceSession, current.state);
    return { state, sending: stillSending(current.sending, state) };
  });
}

/** Shows a snapshot of the session that is open. */
export function applySessionSnapshot(store: SessionStore, state: SessionState): void {
  store.setState(({ sending }) => ({ state, missing: false, sending: stillSending(sending, state) }));
}

/** Turns to another session; what was shown of the last one is dropped at once. */
export function resetSession(store: SessionStore, sessionId: string | null): void {
  store.setState({ sessionId, state: null, missing: false, loadingOlder: false });
}

/** The message leaves as soon as its turn is in the state, in the same update: it is never shown twice. */
export function stillSending(sending: Sending | null, state: SessionState): Sending | null {
  return sending?.turnId && state.turns.some((turn) => turn.id === sending.turnId) ? null : sending;
}

/** Puts an older page in front of what is shown. Items already there (a race with a new snapshot) are not doubled. */
export function prependItems(store: SessionStore, sessionId: string, older: Item[], hasOlder: boolean): void {
  store.setState((current) => {
    if (!current.state || current.sessionId !== sessionId) return current;
    const first = current.state.items[0]?.index ?? Infinity;
    const items = [...older.filter((item) => item.index < first), ...current.state.items];
    return { loadingOlder: false, state: { ...current.state, items, hasOlder } };
  });
}
