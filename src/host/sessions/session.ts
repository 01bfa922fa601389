/**
 * One session: its queue of turns, of which never two run at once, and what a person can ask of it. What the windows see
 * of it, and the way of each event to them, is its `session-state.ts`.
 */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { TurnEvent } from '../../protocol/events.ts';
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type {
  ChangedFile,
  Grant,
  SessionSnapshot,
  Sender,
  SessionSummary,
  Turn,
  WaitsFor,
  Warmth,
} from '../../protocol/model.ts';
import { itemList } from '../../protocol/reducer.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import type { Emit } from '../loop/deps.ts';
import { AppClosed, endFailed } from '../loop/endings.ts';
import { Output } from '../loop/output.ts';
import type { WaitingRun } from '../loop/ports.ts';
import { waitingRun } from '../loop/run.ts';
import { runTurn } from '../loop/run-turn.ts';
import { toUsageEntry } from './usage-entry.ts';
import { personMessage } from '../prompt/person-message.ts';
import { unlessAborted } from '../../platform/event-loop.ts';
import { createRunningCalls } from '../subagents/running-calls.ts';
import type { Approvals, GivenAnswer } from '../approvals/approvals.ts';
import { createAwaitedTurns } from './awaited-turns.ts';
import { coalesce } from './coalesce.ts';
import { isCompaction, runCompaction } from './compaction-turn.ts';
import { createContextLog, type SessionLog } from './context-log.ts';
import { withdrawTurn } from './choose-version.ts';
import { claimFiles, queuedTurn, releaseFiles, stillWorking, wordsOf } from './message.ts';
import { personChanged } from './person-changed.ts';
import { readiness, sendWaiting } from './queue.ts';
import { enqueue, heldAtLoad, holdQueue, isForProgram, nextQueued } from './queue-order.ts';
import { reportFolder } from './opening-folder.ts';
import type { Unstored } from './open-sessions.ts';
import { sessionApprovals } from './session-approvals.ts';
import type { SessionDeps } from './session-deps.ts';
import { SessionState, type Change } from './session-state.ts';
import { isTidying, listedAgain, statusOf, type SummaryChanges } from './session-summary.ts';
import { turnPorts, type TurnParts } from './turn-ports.ts';

const noopEmit: Emit = () => undefined;

export interface StartOptions {
  mayPlan?: boolean;
  attachments?: readonly Attachment[];
  sender?: Sender | undefined;
  from?: PromptOrigin | undefined;
  /** Written by the transaction that stores the turn. */
  also?: ((turnId: string) => void) | undefined;
  /** Chosen by whoever has to find the turn again after a crash; a new one unless given. */
  turnId?: string | undefined;
}

interface RunningTurn {
  id: string;
  controller: AbortController;
  /** Fires when another message waits behind it. */
  preempt: AbortController;
  ended: Promise<void>;
}

export class Session {
  readonly #deps: SessionDeps;
  readonly #state: SessionState;
  readonly #context: SessionLog;
  readonly #approvals: Approvals;
  readonly #agents = createRunningCalls();
  readonly #calls = createRunningCalls();
  readonly #awaited = createAwaitedTurns(() => this.state.turns);
  /** The boundary of the tools. */
  #workspaceReal: string;
  readonly #unstored: Unstored;
  /** A window shows it. */
  #isShown = false;
  #nextIndex: number;
  #running: RunningTurn | undefined;
  /** What runs between two turns, or waits for that. */
  #betweenTurns = 0;
  #closing = new AbortController();

  constructor(snapshot: SessionSnapshot, nextIndex: number, deps: SessionDeps, unstored: Unstored) {
    const { id, workspace } = snapshot.session;
    const { warmth } = unstored;
    this.#deps = deps;
    this.#unstored = unstored;
    this.#nextIndex = nextIndex;
    this.#workspaceReal = deps.store.getSession(id)?.workspaceReal ?? workspace;
    this.#state = new SessionState(heldAtLoad({ ...snapshot, ...(warmth && { warmth }) }), {
      numbers: unstored,
      store: deps.store,
      clock: deps.clock,
      log: deps.log,
      workspaceReal: () => this.#workspaceReal,
      onPublished: (events) => {
        this.#awaited.check();
        this.#note();
        const changed = events.findLast(({ event }) => event.type === 'session/changed')?.event;
        if (changed?.type === 'session/changed') deps.onSummary(changed.session);
      },
      onUnfollowed: () => {
        this.#isShown = false;
        // A session that was deleted may be back as another object, and shown.
        if (!this.#closing.signal.aborted) deps.warmer.left(this);
      },
    });
    this.#context = createContextLog(deps.store, id, {
      turnId: () => this.#running?.id ?? null,
      onAppend: () => this.#state.settle(),
      kept: unstored,
    });
    this.#approvals = sessionApprovals(id, deps, {
      summary: () => this.summary,
      workspaceReal: () => this.#workspaceReal,
      isShared: () => this.#isShared,
      onChange: () => this.#refreshStatus(),
    });
    this.#note();
  }

  /** What of it outlives this object. */
  #note(): void {
    this.#unstored.items = itemList(this.state).length;
    this.#unstored.profileId = this.summary.profileId;
  }

  get id(): string {
    return this.summary.id;
  }

  get summary(): SessionSummary {
    return this.state.session;
  }

  get state(): SessionSnapshot {
    return this.#state.current();
  }

  get workspaceReal(): string {
    return this.#workspaceReal;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** The turn that runs now. */
  get runningId(): string | undefined {
    return this.#running?.id;
  }

  /** Somebody else than before may have written what it works on. */
  get #isShared(): boolean {
    return this.state.turns.find(({ id }) => id === this.runningId)?.sender?.isOneOfMany === true;
  }

  /** What this allowed asks again, from the next call on. False = it already did. */
  revoke(grant: Grant): boolean {
    return this.#approvals.revoke(grant);
  }

  get log(): SessionLog {
    return this.#context;
  }

  /** Nothing runs, waits or is to be stored, so no approval is open and no subagent works; and no window shows it. */
  get mayLeave(): boolean {
    const isBusy = this.running || this.#betweenTurns > 0 || this.#state.isFollowed;
    return !isBusy && this.#state.isStored && this.state.turns.every(({ closed }) => closed);
  }

  /** A turn has begun: the folder is fixed from here on. */
  get started(): boolean {
    return this.state.turns.some(({ status }) => status !== 'queued');
  }

  subscribe(connection: Connection): { seq: number; snapshot: SessionSnapshot } {
    const following = { ...this.#state.follow(connection), snapshot: this.state };
    this.#isShown = true;
    this.#deps.warmer.opened(this);
    this.#deps.meaning.sessionOpened();
    return following;
  }

  unsubscribe(connection: Connection): void {
    this.#state.leave(connection);
  }

  /** Queued behind a running turn, or refused with `busy` when `queue` is false (X12 o). */
  start(
    text: string,
    queue: boolean,
    { mayPlan = true, attachments = [], sender, from, also, turnId }: StartOptions = {},
  ): { turnId: string; queued: boolean } {
    if (this.running && !queue) throw stillWorking('Wait for it, stop it, or queue the message.');
    const queued: Turn = {
      ...this.newTurn(text, attachments, { sender, from }),
      ...(turnId !== undefined && { id: turnId }),
      ...(!mayPlan && { mayPlan }),
    };
    // Behind those that wait for the same.
    const turn: Turn = this.running || this.#canRun(queued) ? queued : { ...queued, waitsFor: 'model' };
    const { store } = this.#deps;
    const { changes, last } = enqueue(this.state.turns, turn);
    this.commit(changes, () => {
      claimFiles(store, this.id, turn);
      also?.(turn.id);
      store.placeLast(this.id, last);
    });
    const again = listedAgain(this.summary, turn);
    if (again) this.#setSummary(again);
    this.#runNext();
    return { turnId: turn.id, queued: this.#running?.id !== turn.id };
  }

  newTurn(
    text: string,
    attachments: readonly Attachment[] = [],
    { sender, from }: Pick<StartOptions, 'sender' | 'from'> = {},
  ): Turn {
    const { newId, clock } = this.#deps;
    const { profileId } = this.summary;
    const about = { sender, from, profileId, queuedAt: clock.now() };
    return queuedTurn({ id: newId('turn_'), text, attachments, ...about });
  }

  /** Starts what is queued and waits for nobody. */
  resume(): void {
    this.#runNext();
  }

  /** Throws `busy` while a turn runs or waits: what comes next would no longer be what was asked for. */
  refuseBusy(): void {
    this.#state.settle();
    if (this.running) throw stillWorking('Wait for it, or stop it first.');
    if (this.state.turns.some(({ status }) => status === 'queued')) {
      throw new AndironError('busy', 'Messages wait in the queue.', 'Send them or take them back first.');
    }
  }

  /** The turn once nothing of it follows; null when it was taken back before it began, or the session went away. */
  whenClosed(turnId: string): Promise<Turn | null> {
    return this.#awaited.whenClosed(turnId);
  }

  /** Answers at once. Without an id: the running turn, and what is queued then waits. A queued turn is withdrawn. */
  stop(turnId: string | undefined): void {
    if (this.#running && (turnId === undefined || turnId === this.#running.id)) {
      this.#running.controller.abort(new AndironError('cancelled', 'Stopped by the user.'));
      this.#hold('person');
      return;
    }
    const queued = this.state.turns.find((turn) => turn.id === turnId && turn.status === 'queued');
    if (!queued) return;
    const { store, clock } = this.#deps;
    withdrawTurn(this, queued, store, () => releaseFiles(store, this.id, queued, clock.now()));
  }

  /** This subagent alone; its parent goes on with what it did. Answers at once. */
  stopAgent(callId: string): void {
    this.#agents.stop(callId);
  }

  /** This call alone; the turn goes on with what it brought. Answers at once. */
  stopCall(callId: string): void {
    this.#calls.stop(callId);
  }

  /** What has happened so far is stored and told. */
  settle(): void {
    this.#state.settle();
  }

  /** What is only in memory so far is written. */
  flush(): void {
    this.#state.flush();
  }

  /** Stops what runs and waits until it has ended; queued turns stay queued. */
  async close(): Promise<void> {
    this.#closing.abort(new AppClosed());
    this.#deps.warmer.forget(this);
    const running = this.#running;
    running?.controller.abort(new AppClosed());
    await running?.ended;
    this.flush();
    this.#awaited.giveUp();
  }

  /** The session stays after all. */
  reopen(): void {
    this.#closing = new AbortController();
    this.#runNext();
  }

  answer(approvalId: string, given: GivenAnswer): Promise<void> {
    return this.#approvals.answer(approvalId, given);
  }

  /** The folder, as long as nothing was said, or none was chosen for what was imported. */
  moveTo(workspace: string, workspaceReal: string): void {
    const before = this.#workspaceReal;
    this.#workspaceReal = workspaceReal;
    try {
      const { store, platform } = this.#deps;
      // What may be done alone was said of the other folder.
      const { approvals } = this.summary;
      const mode = approvals === 'autonomous' ? null : approvals;
      this.#setSummary({ workspace, importedFrom: null, approvals: mode }, 'kept', () => {
        if (this.started) reportFolder(store, this.id, this.#context, { path: workspaceReal, platform });
      });
    } catch (error) {
      this.#workspaceReal = before;
      this.#context.reload();
      throw error;
    }
    this.personChanged('You chose another folder.');
    if (this.#isShown) this.#deps.warmer.opened(this);
  }

  /** Title, pin, model, profile: in force from the next iteration on (F10). */
  change(changes: SummaryChanges): void {
    this.#setSummary(changes, 'kept');
    if (changes.model === undefined && changes.profileId === undefined) return;
    this.#deps.warmer.chosen(this);
    sendWaiting(this, this.#deps);
  }

  /** The person changed what the model reads: what is read again for it is theirs, and nobody is to blame. */
  personChanged(detail: string, reloads = false): void {
    personChanged(this.id, { detail, reloads }, this.#deps);
  }

  /** What a person asks for: kept as a whole, with what `also` writes, or it throws `storage` and nothing has happened. */
  commit(changes: readonly Change[], also?: () => void): void {
    this.#state.commit(changes, also);
    this.#refreshStatus();
    this.#state.settle();
  }

  /** How warm its prompt is: told, never stored. */
  warmed(warmth: Warmth): void {
    this.#unstored.warmth = warmth;
    this.#state.emit({ turnId: null, event: { type: 'session/warmed', warmth } });
  }

  /** Told, never stored here: the store keeps its own record of them. */
  filesChanged(files: ChangedFile[]): void {
    this.#state.emit({ turnId: null, event: { type: 'files/changed', files } });
  }

  /**
   * Runs what no turn may run beside: now, or when the running turn has ended. What is queued begins after it. Rejects
   * when the signal fires before it began, or the session is closed.
   */
  async betweenTurns<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    this.#betweenTurns += 1;
    try {
      await unlessAborted(this.#running?.ended ?? Promise.resolve(), signal);
      this.#closing.signal.throwIfAborted();
      return await work();
    } finally {
      this.#betweenTurns -= 1;
      this.#runNext();
    }
  }

  /** First come, first served. */
  #runNext(): void {
    const next = nextQueued(this.state.turns);
    if (!next || this.#closing.signal.aborted) return;
    if (this.#running) this.#running.preempt.abort();
    else if (this.#betweenTurns > 0) return;
    else if (this.#canRun(next)) this.#run(next);
    else {
      this.#hold('model');
      this.#runNext();
    }
  }

  /** A message keeps until there is a model; a program is told at once that there is none. */
  #canRun(turn: Turn): boolean {
    return readiness(this, this.#deps) !== 'missing' || isCompaction(turn) || isForProgram(turn);
  }

  #hold(waitsFor: WaitsFor): void {
    const changes = holdQueue(this.state.turns, waitsFor);
    for (const held of changes) this.#state.happened(held);
  }

  #run(turn: Turn): void {
    const controller = new AbortController();
    const ended = Promise.withResolvers<void>();
    this.#running = { id: turn.id, controller, preempt: new AbortController(), ended: ended.promise };
    this.#deps.warmer.cancelForTurn(this);
    const out = coalesce(this.#deps.clock, (event) => this.#publish(turn.id, event));
    const emit: Emit = (event) => out.emit(event);

    const ports = turnPorts(turn.id, emit, this.#parts(turn.id), this.#deps);
    const { profileId } = this.summary;
    const input = {
      sessionId: this.id,
      turnId: turn.id,
      profileId,
      message: personMessage(wordsOf(turn)),
      shown: turn.text,
      attachments: turn.attachments ?? [],
      ...(turn.from && { from: turn.from }),
      mayPlan: turn.mayPlan ?? true,
      allow: turn.allow ?? [],
      // A program waits for an answer, not for a plan.
      plansOnly: this.summary.approvals === 'plan_only' && !isForProgram(turn),
      steps: turn.plan?.steps,
    };

    const work = async (): Promise<void> => {
      try {
        // Rights, budget and rules are of whoever wrote it, also where others write too.
        if (this.summary.place) this.#deps.store.setSpeaker(this.id, turn.sender?.userId ?? null);
        await (isCompaction(turn) ? runCompaction : runTurn)(input, ports, controller.signal);
      } catch (error) {
        // A bug in the loop must not take the session with it.
        endFailed(error, new Output(ports.out, turn.id));
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
  sideRun(signal: AbortSignal): WaitingRun {
    const turnId = this.state.turns.at(-1)?.id ?? '';
    const parts = { ...this.#parts(null), said: new Set<string>() };
    return waitingRun(turnId, turnPorts(turnId, noopEmit, parts, this.#deps), signal);
  }

  #parts(turnId: string | null): TurnParts {
    return {
      session: this,
      closing: this.#closing.signal,
      preempted: (this.#running?.preempt ?? new AbortController()).signal,
      context: this.#context,
      approvals: this.#approvals,
      agents: this.#agents,
      calls: this.#calls,
      workspace: this.#workspaceReal,
      nextIndex: () => this.#nextIndex++,
      settle: () => this.#state.settle(),
      count: (request) =>
        this.#state.count(toUsageEntry(request, { sessionId: this.id, turnId }, this.#deps)),
      said: this.#unstored.said,
    };
  }

  #publish(turnId: string, event: TurnEvent): void {
    this.#state.happened({ turnId, event });
    if (event.type === 'usage/measured') {
      this.#deps.rates.learn(event.usage);
      this.#deps.warmer.measured(this, event.usage);
    }
    if (event.type.startsWith('turn/')) this.#refreshStatus();
  }

  #refreshStatus(): void {
    const status = statusOf(this.state.turns, this.running, this.#approvals.waiting());
    if (status !== this.summary.status) this.#setSummary({ status });
  }

  #setSummary(changes: Partial<SessionSummary>, promise?: 'kept', also?: () => void): void {
    const updatedAt = isTidying(changes) ? this.summary.updatedAt : this.#deps.clock.now();
    const session = { ...this.summary, ...changes, updatedAt };
    const changed: Change = { turnId: null, event: { type: 'session/changed', session } };
    if (promise === 'kept') this.#state.commit([changed], also);
    else this.#state.happened(changed);
  }
}
