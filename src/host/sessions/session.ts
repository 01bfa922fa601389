/**
 * One session: its queue of turns, the state that every window sees, and the way of each event — stamped, reduced,
 * stored, told (design 2). Two turns of one session never run at once.
 */
import { AndironError } from '../../protocol/errors.ts';
import type { SessionEvent, TurnEvent } from '../../protocol/events.ts';
import { sessionTopic } from '../../protocol/frames.ts';
import type {
  ApprovalDecision,
  SessionSnapshot,
  SessionStatus,
  SessionSummary,
  Turn,
} from '../../protocol/model.ts';
import { reduceSession } from '../../protocol/reducer.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import type { Emit } from '../loop/deps.ts';
import { endFailed } from '../loop/endings.ts';
import { runTurn } from '../loop/run-turn.ts';
import { createApprovals, type Approvals } from './approvals.ts';
import { coalesce, type Coalescer } from './coalesce.ts';
import { createContextLog, type SessionLog } from './context-log.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { createTopic, type Topic } from './topic.ts';
import { turnDeps, type TurnParts } from './turn-deps.ts';
import type { SessionDeps } from './session-deps.ts';

/** A message longer than this is cut for the list. */
const titleLength = 60;
export const untitled = 'New session';

type Change =
  | Pick<Extract<SessionEvent, { turnId: string }>, 'turnId' | 'event'>
  | Pick<Extract<SessionEvent, { turnId: null }>, 'turnId' | 'event'>;

interface RunningTurn {
  id: string;
  controller: AbortController;
  ended: Promise<void>;
}

export class Session {
  readonly #deps: SessionDeps;
  readonly #topic: Topic;
  readonly #context: SessionLog;
  readonly #approvals: Approvals;
  readonly #drafts: Drafts;
  #state: SessionSnapshot;
  /** What the store has; the rest of the state is still to be written. */
  #saved: SessionSnapshot;
  /** The boundary of the tools (design 8). */
  #workspaceReal: string;
  #saveFails = false;
  #running: RunningTurn | undefined;
  #nextIndex: number;
  #closed = false;

  constructor(snapshot: SessionSnapshot, nextIndex: number, deps: SessionDeps) {
    this.#deps = deps;
    this.#state = snapshot;
    this.#saved = snapshot;
    this.#workspaceReal =
      deps.store.getSession(snapshot.session.id)?.workspaceReal ?? snapshot.session.workspace;
    this.#topic = createTopic(sessionTopic(snapshot.session.id));
    this.#context = createContextLog(deps.store, snapshot.session.id, () => this.#running?.id ?? null);
    this.#nextIndex = nextIndex;
    this.#drafts = createDrafts(deps.clock, () => this.#saveOrWait());
    this.#approvals = createApprovals({
      workspace: () => this.summary.workspace,
      clock: deps.clock,
      newId: deps.newId,
      granted: deps.store.sessionGrants(snapshot.session.id).map((grant) => grant.tool),
      onAnswer: (answer) => deps.store.recordApproval(this.id, { ...answer, at: deps.clock.now() }),
      onChange: () => this.#refreshStatus(),
    });
  }

  get id(): string {
    return this.#state.session.id;
  }

  get summary(): SessionSummary {
    return this.#state.session;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Something was said: the folder is fixed from here on (design 8). */
  get started(): boolean {
    return this.#state.turns.length > 0;
  }

  subscribe(connection: Connection): { seq: number; snapshot: SessionSnapshot } {
    this.#topic.follow(connection);
    return { seq: this.#topic.seq(), snapshot: this.#state };
  }

  unsubscribe(connection: Connection): void {
    this.#topic.leave(connection);
  }

  /** Queued behind a running turn, or refused with `busy` when `queue` is false (X12 o). */
  start(text: string, queue: boolean): { turnId: string; queued: boolean } {
    const busy = this.#running !== undefined;
    if (busy && !queue) {
      throw new AndironError(
        'busy',
        'This session is still working.',
        'Wait for it, stop it, or queue the message.',
      );
    }
    const now = this.#deps.clock.now();
    const turn: Turn = {
      id: this.#deps.newId('turn_'),
      status: 'queued',
      text,
      profileId: this.summary.profileId,
      model: null,
      phase: null,
      phaseSince: null,
      queuedAt: now,
      startedAt: null,
      endedAt: null,
      closed: false,
      iterations: 0,
      usage: [],
    };
    this.#publish(turn.id, { type: 'turn/queued', turn }, 'kept');
    if (this.summary.title === untitled) this.#setSummary({ title: titleFrom(text) });
    this.#runNext();
    return { turnId: turn.id, queued: this.#running?.id !== turn.id };
  }

  /** Answers at once. Without an id: the running turn. A queued turn is withdrawn. */
  stop(turnId: string | undefined): void {
    if (this.#running && (turnId === undefined || turnId === this.#running.id)) {
      this.#running.controller.abort(new AndironError('cancelled', 'Stopped by the user.'));
      return;
    }
    const queued = this.#state.turns.find((turn) => turn.id === turnId && turn.status === 'queued');
    if (!queued) return;
    this.#publish(queued.id, { type: 'turn/withdrawn' }, 'kept');
  }

  /** Stops what runs and waits until it has ended; queued turns stay queued. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    running?.controller.abort(new AndironError('cancelled', 'Andiron was closed.'));
    await running?.ended;
    this.#drafts.flush();
  }

  /** The session stays after all. */
  reopen(): void {
    this.#closed = false;
    this.#runNext();
  }

  answer(approvalId: string, decision: ApprovalDecision, scope: 'once' | 'session'): void {
    this.#approvals.answer(approvalId, decision, scope);
  }

  /** The folder, as long as nothing was said (design 8). */
  moveTo(workspace: string, workspaceReal: string): void {
    const before = this.#workspaceReal;
    this.#workspaceReal = workspaceReal;
    try {
      this.change({ workspace });
    } catch (error) {
      this.#workspaceReal = before;
      throw error;
    }
  }

  /** Title, pin, model, profile: in force from the next iteration on (F10). */
  change(
    changes: Partial<Pick<SessionSummary, 'title' | 'pinned' | 'model' | 'profileId' | 'workspace'>>,
  ): void {
    this.#setSummary(changes, 'kept');
  }

  /** First come, first served; turns that a crash left queued are still in the line. */
  #runNext(): void {
    const next = this.#state.turns.find(({ status }) => status === 'queued');
    if (next && !this.#running && !this.#closed) this.#run(next);
  }

  #run(turn: Turn): void {
    const controller = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#running = { id: turn.id, controller, ended: ended.promise };
    const out: Coalescer = coalesce(this.#deps.clock, (event) => this.#publish(turn.id, event));
    const emit: Emit = (event) => out.emit(event);

    const parts: TurnParts = {
      session: this,
      context: this.#context,
      approvals: this.#approvals,
      workspace: this.#workspaceReal,
      nextIndex: () => this.#nextIndex++,
    };
    const deps = turnDeps(turn.id, emit, parts, this.#deps);
    const { profileId } = this.summary;
    const input = { sessionId: this.id, turnId: turn.id, profileId, text: turn.text, mayPlan: true };

    const work = async (): Promise<void> => {
      try {
        await runTurn(input, deps, emit, controller.signal);
      } catch (error) {
        // A bug in the loop must not take the session with it.
        endFailed(error, { input, deps, emit });
        emit({ type: 'turn/closed' });
      } finally {
        out.flush();
        this.#running = undefined;
        this.#refreshStatus();
        ended.resolve();
        this.#runNext();
      }
    };
    void work();
  }

  #publish(turnId: string, event: TurnEvent, promise?: 'kept'): void {
    this.#apply({ turnId, event }, promise);
    if (event.type === 'usage/measured') this.#deps.rates.learn(event.usage);
    if (event.type.startsWith('turn/')) this.#refreshStatus();
  }

  /**
   * Stamp → reduce → store → tell. What a person asks for is refused where it cannot be `kept`: throws `storage`, and
   * nothing has happened. What happens by itself is told in any case, and stored as soon as that works again.
   */
  #apply(change: Change, promise?: 'kept'): void {
    const before = this.#state;
    const stamped: SessionEvent = {
      seq: this.#topic.seq() + 1,
      sessionId: this.id,
      at: this.#deps.clock.now(),
      ...change,
    };
    this.#state = reduceSession(before, stamped);
    if (promise === 'kept') {
      try {
        this.#save();
      } catch (error) {
        this.#state = before;
        throw error;
      }
    } else if (change.event.type === 'item/delta' || change.event.type === 'tool/output') {
      this.#drafts.touch();
    } else {
      this.#saveOrWait();
    }
    this.#topic.publish(() => stamped);
  }

  /** What the person sees goes on even when the disk does not; the log of the model fails the turn by itself. */
  #saveOrWait(): void {
    try {
      this.#save();
    } catch (error) {
      if (!this.#saveFails)
        this.#deps.log.error('The session cannot be saved', error, { sessionId: this.id });
      this.#saveFails = true;
      this.#drafts.touch();
    }
  }

  /** All that changed since the last time, in one transaction. */
  #save(): void {
    const { store } = this.#deps;
    const [state, saved] = [this.#state, this.#saved];
    store.transaction(() => {
      if (state.session !== saved.session || state.context !== saved.context) {
        const { id, createdAt: _createdAt, ...summary } = state.session;
        const workspaceReal = this.#workspaceReal;
        store.updateSession(id, { ...summary, workspaceReal, contextUsage: state.context });
      }
      const known = new Map(saved.turns.map((turn) => [turn.id, turn]));
      for (const turn of state.turns) {
        if (known.get(turn.id) !== turn) store.saveTurn(this.id, turn);
        known.delete(turn.id);
      }
      for (const withdrawn of known.keys()) store.removeTurn(withdrawn);
      for (const [index, item] of state.items.entries()) {
        if (saved.items[index] !== item) store.saveItem(this.id, item);
      }
    });
    this.#saved = state;
    this.#saveFails = false;
  }

  #refreshStatus(): void {
    const status = this.#status();
    if (status !== this.summary.status) this.#setSummary({ status });
  }

  #status(): SessionStatus {
    const last = this.#state.turns.at(-1);
    if (this.#approvals.waiting()) return 'asking';
    if (this.#running) return this.#state.turns.some((turn) => turn.phase === 'lease') ? 'queued' : 'running';
    return last?.status === 'failed' ? 'failed' : 'idle';
  }

  #setSummary(changes: Partial<SessionSummary>, promise?: 'kept'): void {
    const session = { ...this.summary, ...changes, updatedAt: this.#deps.clock.now() };
    this.#apply({ turnId: null, event: { type: 'session/changed', session } }, promise);
    this.#deps.onSummary(session);
  }
}

/** The first line of the first message names the session; no model is asked (design 5.5). */
function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1).trimEnd()}…`;
}
