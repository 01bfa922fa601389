/** All sessions: opened when first needed, listed always, told about on the topic `host`. */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { HostEvent } from '../../protocol/events.ts';
import type { VersionPrice } from '../../protocol/host-methods.ts';
import type { PromptOrigin } from '../../protocol/mcp-offers.ts';
import type {
  Item,
  ProfileProblem,
  Profile,
  Sender,
  SessionSummary,
  Todo,
  Turn,
  TurnPermission,
} from '../../protocol/model.ts';
import type { SessionGrant } from '../../protocol/person-methods.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import { maxResultPiece } from '../../protocol/limits.ts';
import type { Store } from '../store/store.ts';
import { unpackPiece } from '../store/tool-results.ts';
import type { HeadSource } from '../models/head-source.ts';
import type { ReadinessWatch } from '../models/readiness.ts';
import type { SessionDeps } from './session-deps.ts';
import { shownFolder } from '../../rules/grants.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import { Archive } from './archive.ts';
import { editQueued, moveQueued, refuseEmpty, resumeQueued, sendWaiting } from './queue.ts';
import { isSeenNext, refuseUnseen, untitled } from './message.ts';
import { rejoinRun, runToText, type LeftRun, type RunOptions, type RunResult } from './run-to-text.ts';
import { priceVersion } from './price-version.ts';
import { chooseVersion } from './choose-version.ts';
import { replaceTurn, resetSession, startCompaction, undoCompaction } from './versions.ts';
import { OpenSessions } from './open-sessions.ts';
import { personChanged } from './person-changed.ts';
import { Session } from './session.ts';
import { createKeptRules, type KeptRules } from '../approvals/kept-rules.ts';
import { createTopic } from './topic.ts';

/** Items that a snapshot carries; older ones come in pages. */
const snapshotItems = 300;
/** A deleted session can be had back this long. */
export const keptDeletedMs = 7 * 24 * 60 * 60 * 1000;

export interface SessionManagerDeps
  extends Omit<SessionDeps, 'onSummary' | 'onGrants' | 'rules'>, Pick<ReadinessWatch, 'onModelsChanged'> {
  store: Store;
  defaults: { profileId: string; workspace: string | null };
  /** Real path of a folder that exists; throws `workspace_invalid` with advice. */
  resolveWorkspace(path: string): Promise<string>;
  /** A new and empty folder for an imported session, by its real path. */
  emptyFolder(sessionId: string): Promise<string>;
  /** Turns that run now, after each change of a session: closing the app asks only while there are some. */
  onActivity: (running: number, changed: SessionSummary) => void;
}

/** As a window sends it: a text, and the ids of what was attached. */
interface Message {
  text: string;
  attachments?: readonly string[] | undefined;
  origin?: PromptOrigin | undefined;
  mayPlan?: false | undefined;
  turnId?: string | undefined;
}

export class SessionManager {
  readonly #deps: SessionManagerDeps;
  readonly #store: Store;
  readonly #open = new OpenSessions<Session>();
  readonly #topic = createTopic('host');
  /** What models read at the profiles' last state; null = no session has been opened that could notice another one. */
  #read: ReturnType<typeof readByModel> | null = null;
  readonly #sessionDeps: SessionDeps;
  /** Copies of sessions: forked, exported, imported. */
  readonly archive: Archive;
  /** Commands and hosts that are allowed for longer than one call. */
  readonly rules: KeptRules;
  /** Messages that waited for a model when Andiron ended are sent although nobody opens their sessions. */
  readonly #asleep: Set<string>;
  #closed = false;

  constructor(deps: SessionManagerDeps) {
    this.#deps = deps;
    this.#store = deps.store;
    this.rules = createKeptRules({ ...deps, onChange: () => this.publish({ type: 'grants/changed' }) });
    this.#sessionDeps = {
      ...deps,
      onSummary: (session) => {
        this.publish({ type: 'session/upserted', session });
        deps.onActivity(this.#open.all().filter((each) => each.running).length, session);
      },
      onGrants: () => this.publish({ type: 'grants/changed' }),
      rules: this.rules,
    };
    this.archive = new Archive({
      store: deps.store,
      clock: deps.clock,
      log: deps.log,
      newId: deps.newId,
      attachments: deps.attachments,
      platform: deps.platform,
      resolveWorkspace: (path) => deps.resolveWorkspace(path),
      emptyFolder: (sessionId) => deps.emptyFolder(sessionId),
      flush: (sessionId) => this.#open.peek(sessionId)?.flush(),
      onCreated: (session) => this.publish({ type: 'session/upserted', session }),
    });
    try {
      deps.store.purgeHidden(deps.clock.now() - keptDeletedMs);
      deps.store.purgeUnfinished();
    } catch (error) {
      deps.log.error('Deleted sessions could not be purged', error, {});
    }
    this.#asleep = new Set(deps.store.queuedSessions());
    deps.onModelsChanged(() => {
      if (this.#closed) return;
      const open = this.#open.all().map(({ id }) => id);
      for (const id of new Set([...this.#asleep, ...open])) this.#wake(id);
    });
  }

  get(sessionId: string): Session {
    const known = this.#open.use(sessionId);
    if (known) return known;
    const unstored = this.#open.unstored(sessionId);
    const snapshot = this.#store.loadSnapshot(sessionId, Math.max(snapshotItems, unstored.items));
    if (!snapshot)
      throw new AndironError(
        'not_found',
        'This session does not exist any more.',
        'Choose another session, or begin one.',
      );
    this.#read ??= readByModel(this.#deps.heads);
    const nextIndex = this.#store.nextItemIndex(sessionId);
    const session = new Session(snapshot, nextIndex, this.#sessionDeps, unstored);
    this.#open.add(session, unstored);
    return session;
  }

  follow(connection: Connection): { seq: number; sessions: SessionSummary[] } {
    this.#topic.follow(connection);
    this.#deps.warmer.windowOpened();
    return { seq: this.#topic.seq(), sessions: this.#store.listSessions() };
  }

  async create(workspace: string | undefined, profileId: string | undefined): Promise<SessionSummary> {
    const now = this.#deps.clock.now();
    const chosen = workspace ?? this.#deps.defaults.workspace;
    if (chosen === null) throw noFolder();
    const workspaceReal = await this.#deps.resolveWorkspace(chosen);
    const session: SessionSummary = {
      id: this.#deps.newId('ses_'),
      title: untitled,
      workspace: chosen,
      profileId: profileId ?? this.#deps.defaults.profileId,
      model: null,
      pinned: false,
      status: 'idle',
      createdAt: now,
      updatedAt: now,
    };
    this.#store.createSession({ summary: session, workspaceReal, contextUsage: null });
    this.publish({ type: 'session/upserted', session });
    return session;
  }

  page(
    sessionId: string,
    beforeIndex: number,
    limit: number,
  ): { items: Item[]; turns: Turn[]; hasOlder: boolean } {
    const page = this.#store.pageItems(sessionId, { beforeIndex, limit });
    return { ...page, turns: this.#store.turnsOf(page.items) };
  }

  /** The next piece of an untruncated result; throws `not_found` where none is kept. */
  async wholeResult(
    sessionId: string,
    itemId: string,
    from: number,
  ): Promise<{ text: string; next: number | null }> {
    const packed = this.#store.keptResult(sessionId, itemId);
    if (!packed) {
      throw new AndironError(
        'not_found',
        'The whole result is not kept any more.',
        'A session keeps 64 MB of them, the newest first.',
      );
    }
    const { text, isLast } = await unpackPiece(packed, from, maxResultPiece);
    return { text, next: isLast ? null : from + maxResultPiece };
  }

  /** The index of an item; null = this session does not have it. */
  place(sessionId: string, itemId: string): number | null {
    return this.#store.item(sessionId, itemId)?.index ?? null;
  }

  async move(sessionId: string, workspace: string): Promise<void> {
    const workspaceReal = await this.#deps.resolveWorkspace(workspace);
    const session = this.get(sessionId);
    const isOpen = session.summary.importedFrom != null;
    if (isOpen) session.refuseBusy();
    if (session.started && !isOpen) {
      throw new AndironError(
        'workspace_invalid',
        'The folder of a session is fixed once it has begun.',
        'Start a new session for the other folder.',
      );
    }
    session.moveTo(workspace, workspaceReal);
  }

  /** Out of the list, or back in it. What runs or waits there would go on unseen, so it is refused with `busy`. */
  archiveSession(sessionId: string, archived: boolean): void {
    const session = this.get(sessionId);
    if ((session.summary.archivedAt != null) === archived) return;
    if (archived) session.refuseBusy();
    session.change({ archivedAt: archived ? this.#deps.clock.now() : null });
  }

  /** Stopped and out of sight; it can be restored for a week. */
  async remove(sessionId: string): Promise<void> {
    const session = this.#open.use(sessionId);
    await session?.close();
    try {
      this.#store.hideSession(sessionId, this.#deps.clock.now());
    } catch (error) {
      session?.reopen();
      throw error;
    }
    this.#open.delete(sessionId);
    this.publish({ type: 'session/removed', sessionId });
  }

  restore(sessionId: string): SessionSummary {
    const restored = this.#store.restoreSession(sessionId) ? this.#store.getSession(sessionId) : null;
    if (!restored) {
      throw new AndironError(
        'not_found',
        'This session cannot be brought back.',
        'A deleted session is kept for seven days.',
      );
    }
    this.publish({ type: 'session/upserted', session: restored.summary });
    return restored.summary;
  }

  async start(
    sessionId: string,
    message: Message,
    queue: boolean,
  ): Promise<{ turnId: string; queued: boolean }> {
    refuseEmpty(message.text, message.attachments);
    const session = this.get(sessionId);
    if (isSeenNext(session, this.#given(message))) await refuseUnseen(session, this.#deps.clock);
    // Meanwhile it may have been deleted, a file taken out, or the same message sent again.
    const known = this.sentBefore(sessionId, message.turnId);
    if (known) return known;
    const attachments = this.#given(message) ?? [];
    const { text, origin, mayPlan = true, turnId } = message;
    return this.get(sessionId).start(text, queue, { attachments, from: origin, mayPlan, turnId });
  }

  /** What an earlier sending of the same message began; null = it never arrived. Where a dead host left it, it goes on. */
  sentBefore(sessionId: string, turnId: string | undefined): { turnId: string; queued: boolean } | null {
    if (turnId === undefined || !this.knows(sessionId, turnId)) return null;
    const session = this.get(sessionId);
    const turn = (): Turn | undefined => session.state.turns.find(({ id }) => id === turnId);
    if (turn()?.waitsFor === 'person') this.resumeQueued(sessionId, turnId);
    return { turnId, queued: turn()?.status === 'queued' };
  }

  /** Throws where it is a turn of another session. */
  knows(sessionId: string, turnId: string): boolean {
    const found = this.#store.turn(turnId);
    if (!found || found.sessionId === sessionId) return found !== null;
    throw new AndironError(
      'invalid_params',
      'Another session has a turn with this id.',
      'Choose another id.',
    );
  }

  run(
    sessionId: string,
    text: string,
    attachments: readonly string[] = [],
    options: RunOptions = {},
  ): Promise<RunResult> {
    return runToText(this.get(sessionId), text, this.#given({ text, attachments }) ?? [], options);
  }

  /** A turn of an earlier host, which starts now if it waited; null = the session never had it. */
  async rejoin(sessionId: string, turnId: string): Promise<LeftRun | null> {
    const session = this.get(sessionId);
    const turn = session.state.turns.find(({ id }) => id === turnId);
    if (!turn) return null;
    if (turn.status === 'queued') resumeQueued(session, turnId, this.#store);
    return rejoinRun(session, turnId);
  }

  editQueued(sessionId: string, turnId: string, text: string): void {
    editQueued(this.get(sessionId), turnId, text);
  }

  moveQueued(sessionId: string, turnId: string, before: string | null): void {
    moveQueued(this.get(sessionId), turnId, before, this.#store);
  }

  /** Sends what waits for the person; without an id all of it. */
  resumeQueued(sessionId: string, turnId: string | undefined): void {
    resumeQueued(this.get(sessionId), turnId, this.#store);
  }

  /** `text` null = the same message again; without `attachments` those of the turn stay. */
  async replaceTurn(
    sessionId: string,
    turnId: string,
    message: Message | { text: null; allow?: readonly TurnPermission[] | undefined },
  ): Promise<{ turnId: string }> {
    const session = this.get(sessionId);
    const turn = session.state.turns.find(({ id }) => id === turnId);
    if (isSeenNext(session, this.#given(message) ?? turn?.attachments))
      await refuseUnseen(session, this.#deps.clock);
    const allow = message.text === null ? message.allow : undefined;
    const next = { text: message.text, attachments: this.#given(message), allow };
    return replaceTurn(this.get(sessionId), turnId, next, this.#store);
  }

  chooseVersion(sessionId: string, turnId: string): void {
    chooseVersion(this.get(sessionId), turnId, this.#store);
  }

  priceVersion(sessionId: string, turnId: string, text: string | undefined): VersionPrice | null {
    return priceVersion(this.get(sessionId), turnId, text, this.#deps);
  }

  reset(sessionId: string, reason?: string): void {
    resetSession(this.get(sessionId), this.#store, reason);
  }

  compact(sessionId: string, sender?: Sender): { turnId: string } {
    return startCompaction(this.get(sessionId), sender);
  }

  undoCompaction(sessionId: string, itemId: string): void {
    undoCompaction(this.get(sessionId), itemId, this.#store);
  }

  updateTodo(sessionId: string, todo: Todo): void {
    const session = this.get(sessionId);
    const turnId = session.runningId ?? session.state.turns.at(-1)?.id ?? '';
    session.commit([{ turnId, event: { type: 'todo/changed', todo } }], () =>
      this.#store.writeSessionData(sessionId, 'todo', todo),
    );
  }

  profilesChanged(profiles: Profile[], problems: ProfileProblem[]): void {
    if (this.#read !== null) {
      const now = readByModel(this.#deps.heads);
      for (const { id, reloads } of changedIn(this.#open.profiles(), this.#read, now))
        personChanged(id, { detail: 'You changed the profile.', reloads }, this.#deps);
      this.#read = now;
    }
    this.publish({ type: 'profiles/changed', profiles, problems });
  }

  /** What was allowed for the rest of a session, in all of them. */
  grants(): SessionGrant[] {
    return this.#store.grants().map(({ workspace, ...grant }) => ({
      ...grant,
      shown: grant.folder === null ? '' : visibleText(shownFolder(workspace, grant.folder)),
    }));
  }

  /** What the record of its files says now. */
  filesChanged(sessionId: string): void {
    this.#open.peek(sessionId)?.filesChanged(this.#store.changedFiles(sessionId));
  }

  /** What has happened in any session so far is stored and told. */
  settle(): void {
    for (const session of this.#open.all()) session.settle();
  }

  /** Stops what runs in the conversations of that channel; what waits there is not sent. */
  stopAt(platform: string, channel: string): void {
    for (const session of this.#open.all()) {
      const { place } = session.summary;
      if (place?.platform === platform && place.channel === channel) session.stop(undefined);
    }
  }

  /** Stops every turn and waits for it. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.archive.close(), ...this.#open.all().map((session) => session.close())]);
  }

  /** What windows know of the host has changed. */
  publish(event: HostEvent): void {
    this.#topic.publish(() => event);
  }

  /** Throws when one of them is gone: a message is sent whole or not at all. */
  #given(message: Message | { text: null }): Attachment[] | undefined {
    if (message.text === null || !message.attachments) return undefined;
    const ids = [...new Set(message.attachments)];
    const found = this.#store.attachments(ids);
    if (found.length === ids.length) return found;
    throw new AndironError(
      'not_found',
      'A file of this message is no longer there.',
      'Take it out and attach it again.',
    );
  }

  #wake(sessionId: string): void {
    try {
      sendWaiting(this.get(sessionId), this.#deps);
      this.#asleep.delete(sessionId);
    } catch (error) {
      // On a disk that fails it is tried again with the next change.
      if (isGone(error)) this.#asleep.delete(sessionId);
      this.#deps.log.warn('Messages that wait could not be sent', { sessionId, error: String(error) });
    }
  }
}

const isGone = (error: unknown): boolean => error instanceof AndironError && error.code === 'not_found';

const noFolder = (): AndironError =>
  new AndironError(
    'workspace_invalid',
    'This session has no folder yet.',
    'Choose the folder that it works in.',
  );

/** What of a profile the model reads, and the window it is loaded with. */
interface Read {
  head: string;
  contextTokens: number;
}

function readByModel(heads: HeadSource): Map<string, Read> {
  const read = new Map<string, Read>();
  for (const { id, contextTokens } of heads.profiles()) {
    const fresh = heads.fresh(id);
    read.set(id, { head: JSON.stringify([fresh?.head, fresh?.think]), contextTokens });
  }
  return read;
}

/** Nobody but the person writes profiles and personas while Andiron runs. */
function changedIn(
  sessions: readonly { id: string; profileId: string }[],
  before: Map<string, Read>,
  now: Map<string, Read>,
): { id: string; reloads: boolean }[] {
  return sessions.flatMap(({ id, profileId }) => {
    const [was, is] = [before.get(profileId), now.get(profileId)];
    if (!was || !is || (was.head === is.head && was.contextTokens === is.contextTokens)) return [];
    return [{ id, reloads: was.contextTokens !== is.contextTokens }];
  });
}
