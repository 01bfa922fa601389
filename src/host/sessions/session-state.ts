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
import type { BookedEntry } from '../store/usage-log.ts';
import type { Store } from '../store/store.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { keepNewest } from './newest-items.ts';
import { createTopic, type Topic } from './topic.ts';

/** An event without its stamp. */
export type Change =
  | Pick<Extract<SessionEvent, { turnId: string }>, 'turnId' | 'event'>
  | Pick<Extract<SessionEvent, { turnId: null }>, 'turnId' | 'event'>;

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
  /** Of its newest event: they go on where the session was in memory before. */
  numbers?: { seq: number };
}

export class SessionState {
  readonly #deps: SessionStateDeps;
  readonly #store: Store;
  readonly #sessionId: string;
  readonly #topic: Topic;
  #state: SessionSnapshot;
  /** What the store has; the rest of the state is still to be written. */
  #saved: SessionSnapshot;
  #saveFails = false;
  /** In the state, and neither stored nor told. */
  #waiting: SessionEvent[] = [];
  #mustSave = false;
  /** Counted and not stored yet. */
  #counted: readonly BookedEntry[] = [];
  #isSettling = false;
  #lastSeq: number;
  readonly #drafts: Drafts;

  constructor(loaded: SessionSnapshot, deps: SessionStateDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    this.#sessionId = loaded.session.id;
    this.#topic = createTopic(sessionTopic(this.#sessionId), deps.onUnfollowed, deps.numbers);
    this.#state = loaded;
    this.#saved = loaded;
    this.#lastSeq = this.#topic.seq();
    this.#drafts = createDrafts(deps.clock, () => this.#saveOrWait());
  }

  /** What happens meanwhile is settled after it: it must not be told before what it follows. */
  settle(): void {
    if (this.#isSettling || (this.#waiting.length === 0 && !this.#mustSave)) return;
    const events = this.#waiting;
    const isKept = this.#mustSave;
    this.#waiting = [];
    this.#mustSave = false;
    this.#isSettling = true;
    try {
      if (isKept) this.#saveOrWait();
    } finally {
      this.#isSettling = false;
    }
    this.#publish(events);
    this.#letGo();
  }

  current(): SessionSnapshot {
    return this.#state;
  }

  get isFollowed(): boolean {
    return this.#topic.isFollowed();
  }

  /** All that a store keeps of it is stored, and told. */
  get isStored(): boolean {
    const waits = this.#waiting.length > 0 || this.#mustSave || this.#counted.length > 0;
    return !waits && !this.#saveFails && !this.#drafts.isWaiting();
  }

  /**
   * What a person asks for: all of it is kept, in one transaction with what `also` writes, or it throws `storage` and
   * nothing has happened.
   */
  commit(changes: readonly Change[], also?: () => void): void {
    this.settle();
    const before = this.#state;
    const events = this.#stamp(changes);
    this.#state = events.reduce(reduceSession, this.#state);
    try {
      this.#save(also);
    } catch (error) {
      this.#state = before;
      this.#lastSeq -= events.length;
      throw error;
    }
    this.#publish(events);
  }

  /** What happens by itself: in the state at once, told in any case, and stored as soon as that works. */
  happened(change: Change): void {
    const { type } = change.event;
    if (type === 'item/delta' || type === 'tool/output') this.#drafts.touch();
    else this.#mustSave = true;
    this.#add(change);
  }

  /** A row of the usage log: stored with what happened in the same task, so with the turn that says the same. */
  count(entry: BookedEntry): void {
    this.#counted = [...this.#counted, entry];
    this.#mustSave = true;
    afterThisTask(() => this.settle());
  }

  /** What the store does not keep, or keeps elsewhere; told at once. */
  emit(change: Change): void {
    this.#add(change);
    this.settle();
  }

  /** What is only in memory so far is written. */
  flush(): void {
    this.settle();
    this.#drafts.flush();
  }

  /** From the event after `seq` on. */
  follow(connection: Connection): { seq: number } {
    this.settle();
    this.#topic.follow(connection);
    return { seq: this.#topic.seq() };
  }

  leave(connection: Connection): void {
    this.#topic.leave(connection);
  }

  #stamp(changes: readonly Change[]): SessionEvent[] {
    const at = this.#deps.clock.now();
    return changes.map((change) => ({
      seq: (this.#lastSeq += 1),
      sessionId: this.#sessionId,
      at,
      ...change,
    }));
  }

  #publish(events: readonly SessionEvent[]): void {
    for (const event of events) this.#topic.publish(() => event);
    this.#deps.onPublished(events);
  }

  /** All that changed since the last time, in one transaction, with what else belongs to it. */
  #save(also?: () => void): void {
    const now = this.#state;
    const counted = this.#counted;
    this.#store.transaction(() => {
      if (now.session !== this.#saved.session || now.context !== this.#saved.context) {
        const { id, createdAt: _createdAt, ...summary } = now.session;
        this.#store.updateSession(id, {
          ...summary,
          workspaceReal: this.#deps.workspaceReal(),
          contextUsage: now.context,
        });
      }
      if (now.tokens && now.tokens !== this.#saved.tokens) this.#store.setTokens(this.#sessionId, now.tokens);
      const { changed, withdrawn } = compareTurns(this.#saved.turns, now.turns);
      for (const turn of changed) this.#store.saveTurn(this.#sessionId, turn);
      for (const turn of withdrawn) this.#store.removeTurn(turn.id);
      for (const item of itemList(now).changedSince(itemList(this.#saved)))
        this.#store.saveItem(this.#sessionId, item);
      for (const entry of counted) this.#store.addUsage(entry);
      also?.();
    });
    this.#counted = [];
    this.#saved = now;
    this.#saveFails = false;
    this.#drafts.clear();
  }

  /** What the person sees goes on even when the disk does not; the log of the model fails the turn by itself. */
  #saveOrWait(): void {
    try {
      this.#save();
    } catch (error) {
      if (!this.#saveFails)
        this.#deps.log.error('The session cannot be saved', error, { sessionId: this.#sessionId });
      this.#saveFails = true;
      this.#drafts.touch();
    }
  }

  /** Only of what the store has, so that it can be had back. */
  #letGo(): void {
    if (this.#saved === this.#state) this.#saved = this.#state = keepNewest(this.#state);
  }

  #add(change: Change): void {
    const events = this.#stamp([change]);
    this.#state = events.reduce(reduceSession, this.#state);
    if (this.#waiting.length === 0) afterThisTask(() => this.settle());
    this.#waiting.push(...events);
  }
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
