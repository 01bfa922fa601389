/** All sessions: opened when first needed, listed always, told about on the topic `host`. */
import type { Attachment } from '../../protocol/attachments.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { HostEvent } from '../../protocol/events.ts';
import type { Item, ProfileProblem, Profile, SessionSummary, Todo, Turn } from '../../protocol/model.ts';
import type { SessionGrant } from '../../protocol/person-methods.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import { maxResultPiece } from '../../protocol/limits.ts';
import type { Store } from '../store/store.ts';
import { unpackPiece } from '../store/tool-results.ts';
import type { HeadSource } from './head-source.ts';
import type { SessionDeps } from './session-deps.ts';
import { shownFolder } from '../../rules/grants.ts';
import { visibleText } from '../../rules/visible-text/visible-text.ts';
import { createArchive, type Archive } from './archive.ts';
import { editQueued, moveQueued, refuseEmpty, resumeQueued, sendWaiting } from './queue.ts';
import { isSeenNext, refuseUnseen } from './message.ts';
import { runToText, type RunResult } from './run.ts';
import { replaceTurn, resetSession, startCompaction, undoCompaction } from './versions.ts';
import { Session, untitled } from './session.ts';
import { createTopic } from './topic.ts';

/** Items that a snapshot carries; older ones come in pages. */
const snapshotItems = 300;
/** A deleted session can be had back this long. */
export const keptDeletedMs = 7 * 24 * 60 * 60 * 1000;
const searchHits = 50;
const searchMs = 500;

export interface SessionManagerDeps extends Omit<SessionDeps, 'onSummary' | 'onGrants'> {
  store: Store;
  defaults: { profileId: string; workspace: string | null };
  /** Real path of a folder that exists; throws `workspace_invalid` with advice. */
  resolveWorkspace(path: string): Promise<string>;
  /** Calls when what `modelReadiness` says may have changed. */
  onModelsChanged(listener: () => void): void;
  /** A new and empty folder for an imported session, by its real path. */
  emptyFolder(sessionId: string): Promise<string>;
  /** Turns that run now, after each change: closing the app asks only while there are some. */
  onActivity: (running: number) => void;
}

/** As a window sends it: a text, and the ids of what was attached. */
interface Message {
  text: string;
  attachments?: readonly string[] | undefined;
}

export interface SessionManager extends Archive {
  follow(connection: Connection): { seq: number; sessions: SessionSummary[] };
  create(workspace: string | undefined, profileId: string | undefined): Promise<SessionSummary>;
  get(sessionId: string): Session;
  page(
    sessionId: string,
    beforeIndex: number,
    limit: number,
  ): { items: Item[]; turns: Turn[]; hasOlder: boolean };
  /** The next piece of an untruncated result; throws `not_found` where none is kept. */
  wholeResult(
    sessionId: string,
    itemId: string,
    from: number,
  ): Promise<{ text: string; next: number | null }>;
  /** The index of an item; null = this session does not have it. */
  place(sessionId: string, itemId: string): number | null;
  move(sessionId: string, workspace: string): Promise<void>;
  /** Stopped and out of sight; it can be restored for a week. */
  remove(sessionId: string): Promise<void>;
  restore(sessionId: string): SessionSummary;
  search(query: string, sessionId?: string): ReturnType<Store['search']>;
  start(sessionId: string, message: Message, queue: boolean): Promise<{ turnId: string; queued: boolean }>;
  run(sessionId: string, text: string): Promise<RunResult>;
  editQueued(sessionId: string, turnId: string, text: string): void;
  moveQueued(sessionId: string, turnId: string, before: string | null): void;
  /** Sends what waits for the person; without an id all of it. */
  resumeQueued(sessionId: string, turnId: string | undefined): void;
  /** `text` null = the same message again; without `attachments` those of the turn stay. */
  replaceTurn(
    sessionId: string,
    turnId: string,
    message: Message | { text: null },
  ): Promise<{ turnId: string }>;
  reset(sessionId: string): void;
  compact(sessionId: string): { turnId: string };
  undoCompaction(sessionId: string, itemId: string): void;
  updateTodo(sessionId: string, todo: Todo): void;
  profilesChanged(profiles: Profile[], problems: ProfileProblem[]): void;
  /** What was allowed for the rest of a session, in all of them. */
  grants(): SessionGrant[];
  /** What is remembered about the person is no longer what a window may show. */
  memoryChanged(): void;
  /** What the record of its files says now. */
  filesChanged(sessionId: string): void;
  examChanged(change: Extract<HostEvent, { type: 'exam/changed' }>): void;
  /** What has happened in any session so far is stored and told. */
  settle(): void;
  /** Stops every turn and waits for it. */
  close(): Promise<void>;
}

export function createSessionManager(deps: SessionManagerDeps): SessionManager {
  const { store, clock, newId, defaults } = deps;
  const open = new Map<string, Session>();
  const topic = createTopic('host');
  const tell = (event: HostEvent): void => topic.publish(() => event);
  /** What models read at the profiles' last state; null = no session has been opened that could notice another one. */
  let read: ReturnType<typeof readByModel> | null = null;

  const sessionDeps: SessionDeps = {
    ...deps,
    onSummary(session) {
      tell({ type: 'session/upserted', session });
      deps.onActivity([...open.values()].filter((each) => each.running).length);
    },
    onGrants: () => tell({ type: 'grants/changed' }),
  };

  const get = (sessionId: string): Session => {
    const known = open.get(sessionId);
    if (known) return known;
    const snapshot = store.loadSnapshot(sessionId, snapshotItems);
    if (!snapshot)
      throw new AndironError(
        'not_found',
        'This session does not exist any more.',
        'Choose another session, or begin one.',
      );
    read ??= readByModel(deps.heads);
    const session = new Session(snapshot, store.nextItemIndex(sessionId), sessionDeps);
    open.set(sessionId, session);
    return session;
  };

  /** Throws when one of them is gone: a message is sent whole or not at all. */
  const given = (message: Message | { text: null }): Attachment[] | undefined => {
    if (message.text === null || !message.attachments) return undefined;
    const ids = [...new Set(message.attachments)];
    const found = store.attachments(ids);
    if (found.length === ids.length) return found;
    throw new AndironError(
      'not_found',
      'A file of this message is no longer there.',
      'Take it out and attach it again.',
    );
  };

  const archive = createArchive({
    store,
    clock,
    log: deps.log,
    newId,
    attachments: deps.attachments,
    platform: deps.platform,
    resolveWorkspace: (path) => deps.resolveWorkspace(path),
    emptyFolder: (sessionId) => deps.emptyFolder(sessionId),
    flush: (sessionId) => open.get(sessionId)?.flush(),
    onCreated: (session) => tell({ type: 'session/upserted', session }),
  });
  try {
    store.purgeHidden(clock.now() - keptDeletedMs);
    store.purgeUnfinished();
  } catch (error) {
    deps.log.error('Deleted sessions could not be purged', error, {});
  }

  // Messages that waited for a model when Andiron ended are sent although nobody opens their sessions.
  const asleep = new Set(store.queuedSessions());
  let closed = false;
  deps.onModelsChanged(() => {
    if (closed) return;
    for (const id of new Set([...asleep, ...open.keys()])) wake(id);
  });
  const wake = (sessionId: string): void => {
    try {
      sendWaiting(get(sessionId), deps);
      asleep.delete(sessionId);
    } catch (error) {
      // On a disk that fails it is tried again with the next change.
      if (isGone(error)) asleep.delete(sessionId);
      deps.log.warn('Messages that wait could not be sent', { sessionId, error: String(error) });
    }
  };

  return {
    ...archive,
    follow(connection) {
      topic.follow(connection);
      deps.warmer.windowOpened();
      return { seq: topic.seq(), sessions: store.listSessions() };
    },
    async create(workspace, profileId) {
      const now = clock.now();
      const chosen = workspace ?? defaults.workspace;
      if (chosen === null) throw noFolder();
      const workspaceReal = await deps.resolveWorkspace(chosen);
      const session: SessionSummary = {
        id: newId('ses_'),
        title: untitled,
        workspace: chosen,
        profileId: profileId ?? defaults.profileId,
        model: null,
        pinned: false,
        status: 'idle',
        createdAt: now,
        updatedAt: now,
      };
      store.createSession({ summary: session, workspaceReal, contextUsage: null });
      tell({ type: 'session/upserted', session });
      return session;
    },
    get,
    page(sessionId, beforeIndex, limit) {
      const page = store.pageItems(sessionId, { beforeIndex, limit });
      return { ...page, turns: store.turnsOf(page.items) };
    },
    async wholeResult(sessionId, itemId, from) {
      const packed = store.keptResult(sessionId, itemId);
      if (!packed) {
        throw new AndironError(
          'not_found',
          'The whole result is not kept any more.',
          'A session keeps 64 MB of them, the newest first.',
        );
      }
      const { text, isLast } = await unpackPiece(packed, from, maxResultPiece);
      return { text, next: isLast ? null : from + maxResultPiece };
    },
    place: (sessionId, itemId) => store.item(sessionId, itemId)?.index ?? null,
    async move(sessionId, workspace) {
      const workspaceReal = await deps.resolveWorkspace(workspace);
      const session = get(sessionId);
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
    },
    async remove(sessionId) {
      const session = open.get(sessionId);
      await session?.close();
      try {
        store.hideSession(sessionId, clock.now());
      } catch (error) {
        session?.reopen();
        throw error;
      }
      open.delete(sessionId);
      tell({ type: 'session/removed', sessionId });
    },
    restore(sessionId) {
      const restored = store.restoreSession(sessionId) ? store.getSession(sessionId) : null;
      if (!restored) {
        throw new AndironError(
          'not_found',
          'This session cannot be brought back.',
          'A deleted session is kept for seven days.',
        );
      }
      tell({ type: 'session/upserted', session: restored.summary });
      return restored.summary;
    },
    search(query, sessionId) {
      const began = clock.monotonic();
      const limits = { hits: searchHits, goOn: () => clock.monotonic() - began < searchMs };
      return sessionId === undefined ? store.search(query, limits) : store.searchIn(sessionId, query, limits);
    },
    async start(sessionId, message, queue) {
      refuseEmpty(message.text, message.attachments);
      const session = get(sessionId);
      if (isSeenNext(session, given(message))) await refuseUnseen(session, clock);
      // Meanwhile it may have been deleted, or a file taken out.
      return get(sessionId).start(message.text, queue, { attachments: given(message) ?? [] });
    },
    run: (sessionId, text) => runToText(get(sessionId), text),
    editQueued: (sessionId, turnId, text) => editQueued(get(sessionId), turnId, text),
    moveQueued: (sessionId, turnId, before) => moveQueued(get(sessionId), turnId, before, store),
    resumeQueued: (sessionId, turnId) => resumeQueued(get(sessionId), turnId, store),
    async replaceTurn(sessionId, turnId, message) {
      const session = get(sessionId);
      const turn = session.state.turns.find(({ id }) => id === turnId);
      if (isSeenNext(session, given(message) ?? turn?.attachments)) await refuseUnseen(session, clock);
      const next = { text: message.text, attachments: given(message) };
      return replaceTurn(get(sessionId), turnId, next, store);
    },
    reset: (sessionId) => resetSession(get(sessionId), store),
    compact: (sessionId) => startCompaction(get(sessionId)),
    undoCompaction: (sessionId, itemId) => undoCompaction(get(sessionId), itemId, store),
    updateTodo(sessionId, todo) {
      const session = get(sessionId);
      const turnId = session.runningId ?? session.state.turns.at(-1)?.id ?? '';
      session.commit([{ turnId, event: { type: 'todo/changed', todo } }], () =>
        store.writeSessionData(sessionId, 'todo', todo),
      );
    },
    profilesChanged(profiles, problems) {
      if (read !== null) {
        const now = readByModel(deps.heads);
        reportChanged(open.values(), read, now);
        read = now;
      }
      tell({ type: 'profiles/changed', profiles, problems });
    },
    grants: () =>
      store.grants().map(({ workspace, ...grant }) => ({
        ...grant,
        shown: grant.folder === null ? '' : visibleText(shownFolder(workspace, grant.folder)),
      })),
    memoryChanged: () => tell({ type: 'memory/changed' }),
    filesChanged: (sessionId) => open.get(sessionId)?.filesChanged(store.changedFiles(sessionId)),
    examChanged: (change) => tell(change),
    settle() {
      for (const session of open.values()) session.settle();
    },
    async close() {
      closed = true;
      await Promise.all([archive.close(), ...[...open.values()].map((session) => session.close())]);
    },
  };
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
function reportChanged(sessions: Iterable<Session>, before: Map<string, Read>, now: Map<string, Read>): void {
  for (const session of sessions) {
    const [was, is] = [before.get(session.summary.profileId), now.get(session.summary.profileId)];
    if (!was || !is || (was.head === is.head && was.contextTokens === is.contextTokens)) continue;
    session.personChanged('You changed the profile.', was.contextTokens !== is.contextTokens);
  }
}
