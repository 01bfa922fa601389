/**
 * What a session is, and the one way in which it changes: each event is stamped, reduced, stored, told (design 2). The
 * windows reduce the same events and come to the same state.
 */
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SessionEvent } from '../../protocol/events.ts';
import { sessionTopic } from '../../protocol/frames.ts';
import type { SessionSnapshot } from '../../protocol/model.ts';
import { reduceSession } from '../../protocol/reducer.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import type { Store } from '../store/store.ts';
import { createDrafts } from './drafts.ts';
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
  /** What happens by itself: told in any case, and stored as soon as that works. */
  happened(change: Change): void;
  /** What the store does not keep, or keeps elsewhere. */
  tell(change: Change): void;
  /** What is only in memory so far is written. */
  flush(): void;
  /** The number of the last event that was told. */
  seq(): number;
  follow(connection: Connection): void;
  leave(connection: Connection): void;
  isFollowed(): boolean;
}

export interface SessionStateDeps {
  store: Store;
  clock: Clock;
  log: Log;
  /** The boundary of the tools, stored with the session. */
  workspaceReal: () => string;
  /** Windows have heard of a change. */
  onTold: () => void;
}

export function createSessionState(loaded: SessionSnapshot, deps: SessionStateDeps): SessionState {
  const { store, clock, log } = deps;
  const sessionId = loaded.session.id;
  const topic = createTopic(sessionTopic(sessionId));
  let state = loaded;
  /** What the store has; the rest of the state is still to be written. */
  let saved = loaded;
  let saveFails = false;

  /** Stamps and reduces; what is returned tells it, once it is stored. */
  const reduce = (changes: readonly Change[]): (() => void) => {
    const at = clock.now();
    const stamped = changes.map((change, index): SessionEvent => ({
      seq: topic.seq() + 1 + index,
      sessionId,
      at,
      ...change,
    }));
    state = stamped.reduce(reduceSession, state);
    return () => {
      for (const event of stamped) topic.publish(() => event);
      deps.onTold();
    };
  };

  /** All that changed since the last time, in one transaction, with what else belongs to it. */
  const save = (also?: () => void): void => {
    store.transaction(() => {
      if (state.session !== saved.session || state.context !== saved.context) {
        const { id, createdAt: _createdAt, ...summary } = state.session;
        store.updateSession(id, {
          ...summary,
          workspaceReal: deps.workspaceReal(),
          contextUsage: state.context,
        });
      }
      const known = new Map(saved.turns.map((turn) => [turn.id, turn]));
      for (const turn of state.turns) {
        if (known.get(turn.id) !== turn) store.saveTurn(sessionId, turn);
        known.delete(turn.id);
      }
      for (const withdrawn of known.keys()) store.removeTurn(withdrawn);
      for (const [index, item] of state.items.entries()) {
        if (saved.items[index] !== item) store.saveItem(sessionId, item);
      }
      also?.();
    });
    saved = state;
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

  return {
    current: () => state,
    commit(changes, also) {
      const before = state;
      const tell = reduce(changes);
      try {
        save(also);
      } catch (error) {
        state = before;
        throw error;
      }
      tell();
    },
    happened(change) {
      const tell = reduce([change]);
      const { type } = change.event;
      if (type === 'item/delta' || type === 'tool/output') drafts.touch();
      else saveOrWait();
      tell();
    },
    tell: (change) => reduce([change])(),
    flush: () => drafts.flush(),
    seq: () => topic.seq(),
    follow: (connection) => topic.follow(connection),
    leave: (connection) => topic.leave(connection),
    isFollowed: () => topic.isFollowed(),
  };
}
