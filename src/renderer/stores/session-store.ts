/** The open session: the host's own reducer over the host's own events, so both hold the same state. */
import { createStore } from 'zustand/vanilla';
import type { Attachment } from '../../protocol/attachments.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import type { Turn } from '../../protocol/model.ts';
import { reduceSession, type SessionState } from '../../protocol/reducer.ts';
import {
  historyOf,
  newerBefore,
  olderBefore,
  resume,
  settle,
  stretchAt,
  withNewer,
  withOlder,
  type Page,
  type Past,
} from './pages.ts';

/** A message on its way to the host: shown at once, so Send turns into Stop in the same frame. */
export interface Sending {
  /** Of this window; the turn has it too, where the window chose that. */
  id: string;
  /** Where it goes; null = its session is still to be made. */
  sessionId: string | null;
  text: string;
  attachments?: Attachment[];
  /** The turn that it is another version of: that one and all after it make room in the same frame. */
  replaces?: string;
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
  sending: Sending | null;
  /** Messages on their way to sessions that are not open. */
  sendingElsewhere: readonly Sending[];
  /** Older items than those of `state`, while they are read. */
  past: Past | null;
  /** A page is on its way. */
  paging: boolean;
}

export type OpenSessionStore = ReturnType<typeof createSessionStore>;

export function createSessionStore() {
  return createStore<SessionStoreState>(() => ({
    sessionId: null,
    state: null,
    sending: null,
    sendingElsewhere: [],
    past: null,
    paging: false,
  }));
}

export function applySessionEvents(store: OpenSessionStore, events: SessionEvent[]): void {
  store.setState((current) => {
    if (!current.state) return current;
    const { state, past } = settle({
      // What an older page says of its turns is no longer so.
      past: events.some(isOtherVersion) ? null : current.past,
      state: events.reduce(reduceSession, current.state),
    });
    return { state, past, sending: stillSending(current.sending, state) };
  });
}

const isOtherVersion = ({ event: { type } }: SessionEvent): boolean =>
  type === 'turn/replaced' || type === 'turn/chosen';

/** Shows a snapshot of the session that is open. */
export function applySessionSnapshot(store: OpenSessionStore, state: SessionState): void {
  store.setState(({ state: before, past, sending }) => ({
    state,
    past: resume(before, past, state),
    sending: stillSending(sending, state),
  }));
}

/** Turns to another session; what was shown of the last one is dropped at once. */
export function resetSession(store: OpenSessionStore, sessionId: string | null): void {
  store.setState((current) => {
    const all = allSending(current);
    const sending = all.find((each) => each.sessionId === sessionId) ?? null;
    const sendingElsewhere = all.filter((each) => each !== sending);
    return { sessionId, state: null, past: null, paging: false, sending, sendingElsewhere };
  });
}

const allSending = ({ sending, sendingElsewhere }: SessionStoreState): Sending[] =>
  sending ? [...sendingElsewhere, sending] : [...sendingElsewhere];

/** `isOpen`: its session is the one that is shown. */
export function addSending(store: OpenSessionStore, added: Sending, isOpen: boolean): void {
  store.setState(({ sendingElsewhere }) =>
    isOpen ? { sending: added } : { sendingElsewhere: [...sendingElsewhere, added] },
  );
}

/** undefined = it has left: its turn is there, or it was given back. */
export function findSending(store: OpenSessionStore, id: string): Sending | undefined {
  return allSending(store.getState()).find((each) => each.id === id);
}

/** null = it leaves. */
export function changeSending(store: OpenSessionStore, id: string, changes: Partial<Sending> | null): void {
  store.setState(({ sending, sendingElsewhere, state }) => {
    if (sending?.id !== id) {
      const others = sendingElsewhere.flatMap((each) => {
        if (each.id !== id) return [each];
        return changes === null ? [] : [{ ...each, ...changes }];
      });
      return { sendingElsewhere: others };
    }
    const changed = changes && { ...sending, ...changes };
    return { sending: state ? stillSending(changed, state) : changed };
  });
}

/**
 * The message leaves in the update that brings what stands for it: it is never shown twice, nor missing in between.
 * That is its row, or its place in the queue behind another turn.
 */
function stillSending(sending: Sending | null, state: SessionState): Sending | null {
  const turn = state.turns.find(({ id }) => id === sending?.id || id === sending?.turnId);
  // A Stop that waits for the host's answer waits there.
  if (!turn || (sending?.turnId === null && sending.stopRequested)) return sending;
  const isNext = turn.status === 'queued' && turn.waitsFor === undefined && !turnThatShows(state);
  const begins = turn.status === 'running' && !shows(state, turn);
  return isNext || begins ? sending : null;
}

/** The turn that runs and has its message in the transcript; a turn is known before its message is. */
export function turnThatShows(state: Pick<SessionState, 'turns' | 'items'>): Turn | undefined {
  return state.turns.findLast((turn) => turn.status === 'running' && shows(state, turn));
}

const shows = ({ items }: Pick<SessionState, 'items'>, { id }: Turn): boolean =>
  items.some((item) => item.kind === 'user' && item.turnId === id);

/** A page that was asked for: in front of what is shown, behind it, or somewhere else. */
export type PagePlace = 'older' | 'newer' | 'elsewhere';

/** `before`: up to where it was asked for. A page that no longer fits to what is shown is dropped. */
export function addPage(store: OpenSessionStore, place: PagePlace, page: Page, before: number): void {
  store.setState(({ state, past }) => {
    if (!state) return {};
    if (place === 'elsewhere') return { past: stretchAt(state, page, before) };
    if (place === 'older') {
      return olderBefore(historyOf(state, past)) === before ? { past: withOlder(state, past, page) } : {};
    }
    return past && newerBefore(state, past) === before ? { past: withNewer(state, past, page, before) } : {};
  });
}
