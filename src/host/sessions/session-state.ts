/**
 * What a session is, and the one way in which it changes: each event is stamped, reduced, stored, told. The
 * windows reduce the same events and come to the same state. Events of one task of the event loop are stored together,
 * in one transaction, and told after it.
 */
import type { Clock } from '../../platform/clock.ts';
import { afterThisTask } from '../../platform/event-loop.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { sessionTopic } from '../../protocol/frames.ts';
import type { SessionSnapshot, Turn } from '../../protocol/model.ts';
import { itemList, reduceSession } from '../../protocol/reducer.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import type { Store } from '../store/store.ts';
import { createDrafts } from './drafts.ts';
import { keepNewest } from './newest-items.ts';
import { createTopic } from './topic.ts';

/** An event without its stamp. */
export type Change =
  | Pick<Extract<SessionEvent, { turnId: string }>, 'turnId' | 'event'>
  | Pick<Extract<SessionEvent, { turnId: null }>, 'turnId' | 'event'>;

export interface SessionState {
  current(): SessionSnapshot;
  /**
   * What a person asks for: all of it is kept, in one transaction with what `also` writes, or it throws `storage` and
   * nothing has happened.
   */
  commit(changes: readonly Change[], also?: () => void): void;
  /** What happens by itself: in the state at once, told in any case, and stored as soon as that works. */
  happened(change: Change): void;
  /** What the store does not keep, or keeps elsewhere; told at once. */
  tell(change: Change): void;
  /** What has happened so far is stored and told now; the growing text of an open item may wait. */
  settle(): void;
  /** What is only in memory so far is written. */
  flush(): void;
  /** From the event after `seq` on. */
  follow(connection: Connection): { seq: number };
  leave(connection: Connection): void;
}

export interface SessionStateDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** The boundary of the tools, stored with the session. */
  workspaceReal: () => string;
  /** The windows have heard of these. */
  onPublished: (events: readonly SessionEvent[]) => void;
  /** No window follows any more. */
  onUnfollowed: () => void;
}

export function createSessionState(loaded: SessionSnapshot, deps: SessionStateDeps): SessionState {
  const { store, clock, log } = deps;
  const sessionId = loaded.session.id;
  const topic = createTopic(sessionTopic(sessionId), deps.onUnfollowed);
  let state = loaded;
  /** What the store has; the rest of the state is still to be written. */
  let saved = loaded;
  let saveFails = false;
  /** In the state, and neither stored nor told. */
  let waiting: SessionEvent[] = [];
  let mustSave = false;
  let isSettling = false;

  let lastSeq = topic.seq();

  const stamp = (changes: readonly Change[]): SessionEvent[] => {
    const at = clock.now();
    return changes.map((change) => ({ seq: (lastSeq += 1), sessionId, at, ...change }));
  };

  const publish = (events: readonly SessionEvent[]): void => {
    for (const event of events) topic.publish(() => event);
    deps.onPublished(events);
  };

  /** All that changed since the last time, in one transaction, with what else belongs to it. */
  const save = (also?: () => void): void => {
    const now = state;
    store.transaction(() => {
      if (now.session !== saved.session || now.context !== saved.context) {
        const { id, createdAt: _createdAt, ...summary } = now.session;
        store.updateSession(id, {
          ...summary,
          workspaceReal: deps.workspaceReal(),
          contextUsage: now.context,
        });
      }
      if (now.tokens && now.tokens !== saved.tokens) store.setTokens(sessionId, now.tokens);
      const { changed, withdrawn } = compareTurns(saved.turns, now.turns);
      for (const turn of changed) store.saveTurn(sessionId, turn);
      for (const turn of withdrawn) store.removeTurn(turn.id);
      for (const item of itemList(now).changedSince(itemList(saved))) store.saveItem(sessionId, item);
      also?.();
    });
    saved = now;
    saveFails = false;
  };

  /** What the person sees goes on even when the disk does not; the log of the model fails the turn by itself. */
  const saveOrWait = (): void => {
    try {
      save();
    } catch (error) {
      if (!saveFails) log.error('The session cannot be saved', error, { sessionId });
      saveFails = true;
      drafts.touch();
    }
  };
  const drafts = createDrafts(clock, saveOrWait);

  /** Only of what the store has, so that it can be had back. */
  const letGo = (): void => {
    if (saved === state) saved = state = keepNewest(state);
  };

  /** What happens meanwhile is settled after it: it must not be told before what it follows. */
  const settle = (): void => {
    if (isSettling || waiting.length === 0) return;
    const events = waiting;
    const isKept = mustSave;
    waiting = [];
    mustSave = false;
    isSettling = true;
    try {
      if (isKept) saveOrWait();
    } finally {
      isSettling = false;
    }
    publish(events);
    letGo();
  };

  const add = (change: Change): void => {
    const events = stamp([change]);
    state = events.reduce(reduceSession, state);
    if (waiting.length === 0) afterThisTask(settle);
    waiting.push(...events);
  };

  return {
    current: () => state,
    commit(changes, also) {
      settle();
      const before = state;
      const events = stamp(changes);
      state = events.reduce(reduceSession, state);
      try {
        save(also);
      } catch (error) {
        state = before;
        lastSeq -= events.length;
        throw error;
      }
      publish(events);
    },
    happened(change) {
      const { type } = change.event;
      if (type === 'item/delta' || type === 'tool/output') drafts.touch();
      else mustSave = true;
      add(change);
    },
    tell(change) {
      add(change);
      settle();
    },
    settle,
    flush() {
      settle();
      drafts.flush();
    },
    follow(connection) {
      settle();
      topic.follow(connection);
      return { seq: topic.seq() };
    },
    leave: (connection) => topic.leave(connection),
  };
}

/** Turns change near the end: those before the first difference are only passed over. */
function compareTurns(before: readonly Turn[], now: readonly Turn[]): { changed: Turn[]; withdrawn: Turn[] } {
  if (before === now) return { changed: [], withdrawn: [] };
  let same = 0;
  while (same < now.length && before[same] === now[same]) same += 1;
  const known = new Map(before.slice(same).map((turn) => [turn.id, turn]));
  const changed: Turn[] = [];
  for (const turn of now.slice(same)) {
    if (known.get(turn.id) !== turn) changed.push(turn);
    known.delete(turn.id);
  }
  return { changed, withdrawn: [...known.values()] };
}
