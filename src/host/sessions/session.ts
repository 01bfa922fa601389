/**
 * One session: its queue of turns, the state that every window sees, and the way of each event — stamped, reduced,
 * stored, told (design 2). Two turns of one session never run at once.
 */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { SessionEvent, TurnEvent } from '../../protocol/events.ts';
import { sessionTopic } from '../../protocol/frames.ts';
import type {
  ApprovalDecision,
  ChangedFile,
  SessionSnapshot,
  SessionStatus,
  SessionSummary,
  Turn,
  Warmth,
} from '../../protocol/model.ts';
import { reduceSession } from '../../protocol/reducer.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import type { Emit } from '../loop/deps.ts';
import { AppClosed, endFailed } from '../loop/endings.ts';
import type { Run } from '../loop/run.ts';
import { runTurn } from '../loop/run-turn.ts';
import { createApprovals, type Approvals } from './approvals.ts';
import { createRunningAgents } from '../subagents/running-agents.ts';
import { coalesce, type Coalescer } from './coalesce.ts';
import { isCompaction, runCompaction } from './compaction.ts';
import { createContextLog, type SessionLog } from './context-log.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import { claimFiles, releaseFiles, titleFrom } from './message.ts';
import { createTopic, type Topic } from './topic.ts';
import { turnDeps, type TurnParts } from './turn-deps.ts';
import type { SessionDeps } from './session-deps.ts';

const untold: Emit = () => undefined;
export const untitled = 'New session';

/** An event without its stamp. */
export type Change =
  | Pick<Extract<SessionEvent, { turnId: string }>, 'turnId' | 'event'>
  | Pick<Extract<SessionEvent, { turnId: null }>, 'turnId' | 'event'>;

export interface StartOptions {
  mayPlan?: boolean;
  attachments?: readonly Attachment[];
}

interface RunningTurn {
  id: string;
  controller: AbortController;
  /** Fires when another message waits behind it. */
  hurry: AbortController;
  ended: Promise<void>;
}

export class Session {
  readonly #deps: SessionDeps;
  readonly #topic: Topic;
  readonly #context: SessionLog;
  readonly #approvals: Approvals;
  readonly #drafts: Drafts;
  readonly #agents = createRunningAgents();
  readonly #calls = createRunningAgents();
  #state: SessionSnapshot;
  /** What the store has; the rest of the state is still to be written. */
  #saved: SessionSnapshot;
  /** The boundary of the tools (design 8). */
  #workspaceReal: string;
  #saveFails = false;
  #running: RunningTurn | undefined;
  /** Asked for by a program that waits for the text, so without a plan (A1). */
  readonly #unplanned = new Set<string>();
  readonly #awaited = new Map<string, PromiseWithResolvers<Turn | null>>();
  #nextIndex: number;
  #closing = new AbortController();

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
      granted: deps.store.sessionGrants(snapshot.session.id),
      onAnswer: (answer) => deps.store.recordApproval(this.id, { ...answer, at: deps.clock.now() }),
      onRevoke: (tool) => deps.store.revokeGrant(this.id, tool),
      onChange: () => this.#refreshStatus(),
    });
  }

  get id(): string {
    return this.#state.session.id;
  }

  get summary(): SessionSummary {
    return this.#state.session;
  }

  get state(): SessionSnapshot {
    return this.#state;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** The turn that runs now. */
  get runningId(): string | undefined {
    return this.#running?.id;
  }

  /** What the person allowed for the rest of it. */
  get allowances(): Pick<Approvals, 'granted' | 'revoke'> {
    return this.#approvals;
  }

  get log(): SessionLog {
    return this.#context;
  }

  /** Something was said: the folder is fixed from here on (design 8). */
  get started(): boolean {
    return this.#state.turns.length > 0;
  }

  subscribe(connection: Connection): { seq: number; snapshot: SessionSnapshot } {
    this.#topic.follow(connection);
    this.#deps.warmer.opened(this);
    return { seq: this.#topic.seq(), snapshot: this.#state };
  }

  unsubscribe(connection: Connection): void {
    this.#topic.leave(connection);
    if (!this.#topic.isFollowed()) this.#deps.warmer.left(this);
  }

  /** Queued behind a running turn, or refused with `busy` when `queue` is false (X12 o). */
  start(
    text: string,
    queue: boolean,
    { mayPlan = true, attachments = [] }: StartOptions = {},
  ): { turnId: string; queued: boolean } {
    if (this.running && !queue) throw busy('Wait for it, stop it, or queue the message.');
    const turn = this.newTurn(text, attachments);
    if (!mayPlan) this.#unplanned.add(turn.id);
    this.commit([{ turnId: turn.id, event: { type: 'turn/queued', turn } }], () =>
      claimFiles(this.#deps.store, this.id, turn),
    );
    if (this.summary.title === untitled) this.#setSummary({ title: titleFrom(turn) });
    this.#runNext();
    return { turnId: turn.id, queued: this.#running?.id !== turn.id };
  }

  newTurn(text: string, attachments: readonly Attachment[] = []): Turn {
    return {
      id: this.#deps.newId('turn_'),
      status: 'queued',
      text,
      ...(attachments.length > 0 && { attachments: [...attachments] }),
      profileId: this.summary.profileId,
      model: null,
      phase: null,
      phaseSince: null,
      queuedAt: this.#deps.clock.now(),
      startedAt: null,
      endedAt: null,
      closed: false,
      iterations: 0,
      usage: [],
    };
  }

  /** Starts what is queued: what was just committed, or what a crash left. */
  resume(): void {
    this.#runNext();
  }

  /** Throws `busy` while a turn runs or waits: what comes next would no longer be what was asked for. */
  refuseBusy(): void {
    if (this.running) throw busy('Wait for it, or stop it first.');
    if (this.#state.turns.some(({ status }) => status === 'queued')) {
      throw new AndironError('busy', 'Messages wait in the queue.', 'Send them or take them back first.');
    }
  }

  /** The turn once nothing of it follows; null when it was taken back before it began, or the session went away. */
  whenClosed(turnId: string): Promise<Turn | null> {
    const known = this.#awaited.get(turnId) ?? Promise.withResolvers<Turn | null>();
    this.#awaited.set(turnId, known);
    this.#tellAwaited();
    return known.promise;
  }

  /** Answers at once. Without an id: the running turn. A queued turn is withdrawn. */
  stop(turnId: string | undefined): void {
    if (this.#running && (turnId === undefined || turnId === this.#running.id)) {
      this.#running.controller.abort(new AndironError('cancelled', 'Stopped by the user.'));
      return;
    }
    const queued = this.#state.turns.find((turn) => turn.id === turnId && turn.status === 'queued');
    if (!queued) return;
    this.commit([{ turnId: queued.id, event: { type: 'turn/withdrawn' } }], () =>
      releaseFiles(this.#deps.store, this.id, queued, this.#deps.clock.now()),
    );
  }

  /** This subagent alone; its parent goes on with what it did. Answers at once. */
  stopAgent(callId: string): void {
    this.#agents.stop(callId);
  }

  /** This call alone; the turn goes on with what it brought. Answers at once. */
  stopCall(callId: string): void {
    this.#calls.stop(callId);
  }

  /** What is only in memory so far is written. */
  flush(): void {
    this.#drafts.flush();
  }

  /** Stops what runs and waits until it has ended; queued turns stay queued. */
  async close(): Promise<void> {
    this.#closing.abort(new AppClosed());
    this.#deps.warmer.forget(this);
    const running = this.#running;
    running?.controller.abort(new AppClosed());
    await running?.ended;
    this.#drafts.flush();
    for (const { resolve } of this.#awaited.values()) resolve(null);
    this.#awaited.clear();
  }

  /** The session stays after all. */
  reopen(): void {
    this.#closing = new AbortController();
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
    if (changes.model !== undefined || changes.profileId !== undefined) this.#deps.warmer.chosen(this);
  }

  /** How warm its prompt is: told, never stored. */
  warmed(warmth: Warmth): void {
    this.#reduce([{ turnId: null, event: { type: 'session/warmed', warmth } }])();
  }

  /** Told, never stored here: the store keeps its own record of them. */
  filesChanged(files: ChangedFile[]): void {
    this.#reduce([{ turnId: null, event: { type: 'files/changed', files } }])();
  }

  /** First come, first served; turns that a crash left queued are still in the line. */
  #runNext(): void {
    const next = this.#state.turns.find(({ status }) => status === 'queued');
    if (next && this.#running) this.#running.hurry.abort();
    else if (next && !this.#closing.signal.aborted) this.#run(next);
  }

  #run(turn: Turn): void {
    const controller = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#running = { id: turn.id, controller, hurry: new AbortController(), ended: ended.promise };
    this.#deps.warmer.giveWay(this);
    const out: Coalescer = coalesce(this.#deps.clock, (event) => this.#publish(turn.id, event));
    const emit: Emit = (event) => out.emit(event);

    const deps = turnDeps(turn.id, emit, this.#parts(), this.#deps);
    const { profileId } = this.summary;
    const input = {
      sessionId: this.id,
      turnId: turn.id,
      profileId,
      text: turn.text,
      attachments: turn.attachments ?? [],
      mayPlan: !this.#unplanned.delete(turn.id),
    };

    const work = async (): Promise<void> => {
      try {
        await (isCompaction(turn) ? runCompaction : runTurn)(input, deps, emit, controller.signal);
      } catch (error) {
        // A bug in the loop must not take the session with it.
        endFailed(error, { input, deps, emit });
        emit({ type: 'turn/closed' });
      } finally {
        out.flush();
        this.#running = undefined;
        this.#refreshStatus();
        this.#deps.warmer.turnEnded(this, turn.id);
        ended.resolve();
        this.#runNext();
      }
    };
    void work();
  }

  /** A question on this session's prompt that is no turn: nobody sees it. */
  sideRun(signal: AbortSignal): Run {
    const turnId = this.#state.turns.at(-1)?.id ?? '';
    const { profileId } = this.summary;
    const input = { sessionId: this.id, turnId, profileId, text: 'Memory', mayPlan: false };
    const deps = turnDeps(turnId, untold, this.#parts(), this.#deps);
    return { input, deps, emit: untold, signal, setting: undefined, writer: undefined };
  }

  #parts(): TurnParts {
    return {
      session: this,
      closing: this.#closing.signal,
      hurry: (this.#running?.hurry ?? new AbortController()).signal,
      context: this.#context,
      approvals: this.#approvals,
      agents: this.#agents,
      calls: this.#calls,
      workspace: this.#workspaceReal,
      nextIndex: () => this.#nextIndex++,
    };
  }

  /** What happens by itself: told in any case, and stored as soon as that works. */
  #publish(turnId: string, event: TurnEvent): void {
    const tell = this.#reduce([{ turnId, event }]);
    if (event.type === 'item/delta' || event.type === 'tool/output') this.#drafts.touch();
    else this.#saveOrWait();
    tell();
    if (event.type === 'usage/measured') {
      this.#deps.rates.learn(event.usage);
      this.#deps.warmer.measured(this, event.usage);
    }
    if (event.type.startsWith('turn/')) this.#refreshStatus();
  }

  /**
   * What a person asks for: all of it is kept, in one transaction with what `store` writes, or it throws `storage` and
   * nothing has happened.
   */
  commit(changes: readonly Change[], store?: () => void): void {
    this.#keep(changes, store);
    this.#refreshStatus();
  }

  #keep(changes: readonly Change[], store?: () => void): void {
    const before = this.#state;
    const tell = this.#reduce(changes);
    try {
      this.#save(store);
    } catch (error) {
      this.#state = before;
      throw error;
    }
    tell();
  }

  /** Stamp → reduce; what is returned tells it, once it is stored. */
  #reduce(changes: readonly Change[]): () => void {
    const at = this.#deps.clock.now();
    const stamped = changes.map((change, index): SessionEvent => ({
      seq: this.#topic.seq() + 1 + index,
      sessionId: this.id,
      at,
      ...change,
    }));
    this.#state = stamped.reduce(reduceSession, this.#state);
    return () => {
      for (const event of stamped) this.#topic.publish(() => event);
      this.#tellAwaited();
    };
  }

  #tellAwaited(): void {
    for (const [turnId, { resolve }] of this.#awaited) {
      const turn = this.#state.turns.find(({ id }) => id === turnId);
      if (turn && !turn.closed) continue;
      this.#awaited.delete(turnId);
      resolve(turn ?? null);
    }
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

  /** All that changed since the last time, in one transaction, with what else belongs to it. */
  #save(also?: () => void): void {
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
      also?.();
    });
    this.#saved = state;
    this.#saveFails = false;
  }

  #refreshStatus(): void {
    const status = this.#status();
    if (status !== this.summary.status) this.#setSummary({ status });
  }

  #status(): SessionStatus {
    const last = this.#state.turns.findLast((turn) => !turn.replaced);
    if (this.#approvals.waiting()) return 'asking';
    if (this.#running) return this.#state.turns.some((turn) => turn.phase === 'lease') ? 'queued' : 'running';
    return last?.status === 'failed' ? 'failed' : 'idle';
  }

  #setSummary(changes: Partial<SessionSummary>, promise?: 'kept'): void {
    const session = { ...this.summary, ...changes, updatedAt: this.#deps.clock.now() };
    const changed: Change = { turnId: null, event: { type: 'session/changed', session } };
    if (promise === 'kept') this.#keep([changed]);
    else {
      const tell = this.#reduce([changed]);
      this.#saveOrWait();
      tell();
    }
    this.#deps.onSummary(session);
  }
}

const busy = (advice: string): AndironError =>
  new AndironError('busy', 'This session is still working.', advice);
