/** All sessions: opened when first needed, listed always, told about on the topic `host`. */
import { AndironError } from '../../protocol/errors.ts';
import type { HostEvent } from '../../protocol/events.ts';
import type { Item, ProfileProblem, Profile, SessionSummary } from '../../protocol/model.ts';
import type { Connection } from '../../protocol/rpc-server.ts';
import type { Store } from '../store/store.ts';
import type { SessionDeps } from './session-deps.ts';
import { Session, untitled } from './session.ts';
import { createTopic } from './topic.ts';

/** Items that a snapshot carries; older ones come in pages. */
const snapshotItems = 300;

export interface SessionManagerDeps extends Omit<SessionDeps, 'onSummary'> {
  store: Store;
  defaults: { profileId: string; workspace: string };
  /** Real path of a folder that exists; throws `workspace_invalid` with advice. */
  resolveWorkspace(path: string): Promise<string>;
  /** Turns that run now, after each change: closing the app asks only while there are some. */
  onActivity: (running: number) => void;
}

export interface SessionManager {
  follow(connection: Connection): { seq: number; sessions: SessionSummary[] };
  create(workspace: string | undefined, profileId: string | undefined): Promise<SessionSummary>;
  get(sessionId: string): Session;
  page(sessionId: string, beforeIndex: number, limit: number): { items: Item[]; hasOlder: boolean };
  move(sessionId: string, workspace: string): Promise<void>;
  remove(sessionId: string): Promise<void>;
  profilesChanged(profiles: Profile[], problems: ProfileProblem[]): void;
  /** Stops every turn and waits for it. */
  close(): Promise<void>;
}

export function createSessionManager(deps: SessionManagerDeps): SessionManager {
  const { store, clock, newId, defaults } = deps;
  const open = new Map<string, Session>();
  const topic = createTopic('host');
  const tell = (event: HostEvent): void => topic.publish(() => event);

  const sessionDeps: SessionDeps = {
    ...deps,
    onSummary(session) {
      tell({ type: 'session/upserted', session });
      deps.onActivity([...open.values()].filter((each) => each.running).length);
    },
  };

  const get = (sessionId: string): Session => {
    const known = open.get(sessionId);
    if (known) return known;
    const snapshot = store.loadSnapshot(sessionId, snapshotItems);
    if (!snapshot) throw new AndironError('not_found', 'This session does not exist any more.');
    const session = new Session(snapshot, store.nextItemIndex(sessionId), sessionDeps);
    open.set(sessionId, session);
    return session;
  };

  return {
    follow(connection) {
      topic.follow(connection);
      return { seq: topic.seq(), sessions: store.listSessions() };
    },
    async create(workspace, profileId) {
      const now = clock.now();
      const workspaceReal = await deps.resolveWorkspace(workspace ?? defaults.workspace);
      const session: SessionSummary = {
        id: newId('ses_'),
        title: untitled,
        workspace: workspace ?? defaults.workspace,
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
    page: (sessionId, beforeIndex, limit) => store.pageItems(sessionId, { beforeIndex, limit }),
    async move(sessionId, workspace) {
      const workspaceReal = await deps.resolveWorkspace(workspace);
      const session = get(sessionId);
      if (session.started) {
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
        store.deleteSession(sessionId);
      } catch (error) {
        session?.reopen();
        throw error;
      }
      open.delete(sessionId);
      tell({ type: 'session/removed', sessionId });
    },
    profilesChanged(profiles, problems) {
      tell({ type: 'profiles/changed', profiles, problems });
    },
    async close() {
      await Promise.all([...open.values()].map((session) => session.close()));
    },
  };
}
