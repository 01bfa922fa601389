/**
 * One session: its queue of turns, the state that every window sees, and the way of each event — stamped, reduced,
 * stored, told (design 2). Two turns of one session never run at once.
 */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
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
import type { ActiveProfile, ContextLog, Emit, EngineAccess, SlotWatch, TurnDeps } from '../loop/deps.ts';
import { runTurn } from '../loop/run-turn.ts';
import { opening } from '../prompt/opening.ts';
import type { Provider } from '../providers/provider.ts';
import type { Store } from '../store/store.ts';
import type { Tool } from '../tools/tool.ts';
import { createApprovals, type Approvals } from './approvals.ts';
import { coalesce, type Coalescer } from './coalesce.ts';
import { createContextLog } from './context-log.ts';
import { createDrafts, type Drafts } from './drafts.ts';
import type { HeadSource } from './head-source.ts';
import type { ReadingRates } from './reading-rates.ts';
import { createTopic, type Topic } from './topic.ts';

export interface SessionDeps {
  store: Store;
  provider: Provider;
  tools: ReadonlyMap<string, Tool>;
  engine: EngineAccess;
  heads: HeadSource;
  rates: ReadingRates;
  slots: SlotWatch;
  platform: string;
  clock: Clock;
  newId: NewId;
  log: Log;
  /** The row in the sessions list changed. */
  onSummary: (summary: SessionSummary) => void;
}

/** A message longer than this is cut for the list. */
const titleLength = 60;
export const untitled = 'New session';

interface RunningTurn {
  id: string;
  controller: AbortController;
  ended: Promise<void>;
}

export class Session {
  readonly #deps: SessionDeps;
  readonly #topic: Topic;
  readonly #context: ContextLog;
  readonly #approvals: Approvals;
  readonly #drafts: Drafts;
  #state: SessionSnapshot;
  #running: RunningTurn | undefined;
  #nextIndex: number;
  #closed = false;

  constructor(snapshot: SessionSnapshot, nextIndex: number, deps: SessionDeps) {
    this.#deps = deps;
    this.#state = snapshot;
    this.#topic = createTopic(sessionTopic(snapshot.session.id));
    this.#context = createContextLog(deps.store, snapshot.session.id);
    this.#nextIndex = nextIndex;
    this.#drafts = createDrafts(deps.clock, (itemIds) => this.#saveDrafts(itemIds));
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
    if (this.summary.title === untitled) this.change({ title: titleFrom(text) });
    this.#publish(turn.id, { type: 'turn/queued', turn });
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
    this.#publish(queued.id, { type: 'turn/withdrawn' });
    this.#deps.store.removeTurn(queued.id);
    this.#refreshStatus();
  }

  /** Stops what runs and waits until it has ended; queued turns stay queued. */
  async close(): Promise<void> {
    this.#closed = true;
    const running = this.#running;
    running?.controller.abort(new AndironError('cancelled', 'Andiron was closed.'));
    await running?.ended;
    this.#drafts.close();
  }

  answer(approvalId: string, decision: ApprovalDecision, scope: 'once' | 'session'): void {
    this.#approvals.answer(approvalId, decision, scope);
  }

  /** The folder, as long as nothing was said (design 8). */
  moveTo(workspace: string, workspaceReal: string): void {
    this.#deps.store.updateSession(this.id, { workspaceReal });
    this.change({ workspace });
  }

  /** Title, pin, model, profile: in force from the next iteration on (F10). */
  change(
    changes: Partial<Pick<SessionSummary, 'title' | 'pinned' | 'model' | 'profileId' | 'workspace'>>,
  ): void {
    this.#setSummary({ ...this.summary, ...changes, updatedAt: this.#deps.clock.now() });
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

    const work = async (): Promise<void> => {
      try {
        await runTurn(
          { sessionId: this.id, turnId: turn.id, text: turn.text },
          this.#turnDeps(turn.id),
          emit,
          controller.signal,
        );
      } catch (error) {
        // A bug in the loop must not take the session with it.
        this.#deps.log.error('A turn ended with an internal error', error, { turnId: turn.id });
        const told = new AndironError(
          'internal',
          'Andiron met an internal error.',
          'The log has the details.',
        );
        emit({ type: 'turn/failed', error: { code: told.code, message: told.message, advice: told.advice } });
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

  #turnDeps(turnId: string): TurnDeps {
    const { store, provider, tools, engine, heads, rates, slots, platform, clock, newId, log } = this.#deps;
    const forTurn = heads.forTurn(this.id);
    const workspace = store.getSession(this.id)?.workspaceReal ?? this.summary.workspace;
    return {
      provider,
      tools,
      engine,
      slots,
      log: this.#context,
      active: (): ActiveProfile => ({
        ...forTurn(this.summary.profileId),
        pinnedModel: this.summary.model,
      }),
      journal: {
        started: ({ id: callId, name: tool, args }) =>
          store.recordIntent(this.id, { callId, turnId, tool, args, at: clock.now() }),
        ended: (callId, ok, result) => store.recordResult(this.id, { callId, ok, result, at: clock.now() }),
      },
      authorize: (request, emit, signal) => this.#approvals.authorize(request, emit, signal),
      workspace,
      opening: this.#context.messages().length === 0 ? opening({ path: workspace, platform }) : '',
      clock,
      newId,
      nextIndex: () => this.#nextIndex++,
      readingRate: (model) => rates.of(model),
      onInternalError: (error) => log.error('A tool or a request failed inside Andiron', error),
    };
  }

  /** Stamp → reduce → store → tell. */
  #publish(turnId: string, event: TurnEvent): void {
    const before = this.#state;
    this.#topic.publish((seq) => {
      const stamped: SessionEvent = { seq, sessionId: this.id, at: this.#deps.clock.now(), turnId, event };
      this.#state = reduceSession(before, stamped);
      this.#save(before, event);
      return stamped;
    });
    if (event.type === 'usage/measured') this.#deps.rates.learn(event.usage);
    if (event.type.startsWith('turn/')) this.#refreshStatus();
  }

  /** Finished things are written at once, growing ones once a second (design 3). */
  #save(before: SessionSnapshot, event: TurnEvent): void {
    if (event.type === 'item/delta' || event.type === 'tool/output') {
      this.#drafts.touch(event.itemId);
      return;
    }
    this.#guarded(() => {
      const { store } = this.#deps;
      store.transaction(() => {
        if (event.type === 'context/measured') store.updateSession(this.id, { contextUsage: event.context });
        const saved = new Set(before.turns);
        for (const turn of this.#state.turns) {
          if (!saved.has(turn)) store.saveTurn(this.id, turn);
        }
        for (const [index, item] of this.#state.items.entries()) {
          if (before.items[index] !== item) store.saveItem(this.id, item);
        }
      });
    });
  }

  #saveDrafts(itemIds: ReadonlySet<string>): void {
    this.#guarded(() => {
      for (const item of this.#state.items) {
        if (itemIds.has(item.id)) this.#deps.store.saveItem(this.id, item);
      }
    });
  }

  /** What the person sees goes on even when the disk does not; the log of the model fails the turn by itself. */
  #guarded(write: () => void): void {
    try {
      write();
    } catch (error) {
      this.#deps.log.error('The session could not be saved', error, { sessionId: this.id });
    }
  }

  #refreshStatus(): void {
    const status = this.#status();
    if (status !== this.summary.status)
      this.#setSummary({ ...this.summary, status, updatedAt: this.#deps.clock.now() });
  }

  #status(): SessionStatus {
    const last = this.#state.turns.at(-1);
    if (this.#approvals.waiting()) return 'asking';
    if (this.#running) return this.#state.turns.some((turn) => turn.phase === 'lease') ? 'queued' : 'running';
    return last?.status === 'failed' ? 'failed' : 'idle';
  }

  #setSummary(session: SessionSummary): void {
    this.#topic.publish((seq) => {
      const stamped: SessionEvent = {
        seq,
        sessionId: this.id,
        at: this.#deps.clock.now(),
        turnId: null,
        event: { type: 'session/changed', session },
      };
      this.#state = reduceSession(this.#state, stamped);
      return stamped;
    });
    const { id, createdAt: _createdAt, ...changes } = session;
    this.#guarded(() => this.#deps.store.updateSession(id, changes));
    this.#deps.onSummary(session);
  }
}

/** The first line of the first message names the session; no model is asked (design 5.5). */
function titleFrom(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.trim() ?? '';
  return line.length <= titleLength ? line : `${line.slice(0, titleLength - 1).trimEnd()}…`;
}
