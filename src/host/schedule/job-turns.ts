/** Turns of jobs: each job has one conversation, and each run begins it anew, so that it never reads what others said. */
import { AndironError } from '../../protocol/errors.ts';
import type { Turn } from '../../protocol/model.ts';
import { schedulePlatform } from '../../protocol/principal.ts';
import type { ClosedTurn } from '../../rules/run-verdict.ts';
import { createConversations, type ConversationDeps } from '../inbox/conversations.ts';
import { resultOf } from '../sessions/run-to-text.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { StoredJob } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';

export interface TurnEnd extends ClosedTurn {
  startedAt: number | null;
  endedAt: number | null;
}

export interface JobTurns {
  /**
   * Resolves once the turn is closed; null = it was taken back, or Andiron ends. Rejects where it cannot begin. `onStored`
   * is called within the transaction that stores the turn.
   */
  run(job: StoredJob, onStored: (sessionId: string, turnId: string) => void): Promise<TurnEnd | null>;
  /** What is stored of a turn that nobody follows; null = it is gone. One that has not begun is taken back. */
  stored(sessionId: string, turnId: string): TurnEnd | 'unbegun' | null;
  /** It waits for the GPU. */
  isQueued(sessionId: string): boolean;
  /** A turn of it runs, waits for the GPU or asks. */
  isBusy(sessionId: string): boolean;
}

export interface JobTurnsDeps extends Omit<ConversationDeps, 'store' | 'onCreated'> {
  store: Store;
  sessions: Pick<SessionManager, 'get' | 'publish' | 'reset'>;
  /** Real path of a folder that exists. */
  resolveWorkspace: (path: string) => Promise<string>;
}

export function createJobTurns(deps: JobTurnsDeps): JobTurns {
  const { store, sessions, resolveWorkspace, makeFolder } = deps;

  const conversationOf = ({ id, userId, profileId, workspace }: StoredJob): Promise<string> => {
    const conversationAt = createConversations({
      ...deps,
      makeFolder: (sessionId) => (workspace === null ? makeFolder(sessionId) : resolveWorkspace(workspace)),
      onCreated: (session) => sessions.publish({ type: 'session/upserted', session }),
    });
    // In another folder it is another conversation: a session keeps its own.
    const place = { platform: schedulePlatform, server: '', channel: id, thread: workspace ?? '' };
    return conversationAt(userId, place, undefined, profileId);
  };

  const find = (sessionId: string) => {
    try {
      return sessions.get(sessionId);
    } catch (error) {
      if (error instanceof AndironError && error.code === 'not_found') return null;
      throw error;
    }
  };
  const statusOf = (sessionId: string) => find(sessionId)?.summary.status ?? 'idle';

  return {
    async run(job, onStored) {
      const session = sessions.get(await conversationOf(job));
      const { name: title, profileId } = job;
      const { summary, state } = session;
      if (summary.profileId !== profileId || summary.title !== title)
        session.change({ profileId, title, titledBy: 'person' });
      // The person may be talking there: then it reads what they said.
      const isFree = !session.running && state.turns.every(({ status }) => status !== 'queued');
      if (isFree && state.turns.some(({ replaced }) => !replaced))
        sessions.reset(session.id, 'A job begins without what its last run said.');
      const { turnId } = session.start(job.task, true, {
        mayPlan: false,
        also: (id) => onStored(session.id, id),
      });
      const turn = await session.whenClosed(turnId);
      return turn && endOf(turn, resultOf(turn, session).text);
    },
    stored(sessionId, turnId) {
      const turn = store.allTurns(sessionId).find(({ id }) => id === turnId);
      const session = turn && find(sessionId);
      if (!turn || !session) return null;
      if (turn.status !== 'queued') return endOf(turn, resultOf(turn, session).text);
      session.stop(turnId);
      return 'unbegun';
    },
    isQueued: (sessionId) => statusOf(sessionId) === 'queued',
    isBusy: (sessionId) => ['queued', 'running', 'asking'].includes(statusOf(sessionId)),
  };
}

const endOf = ({ status, startedAt, endedAt }: Turn, words: string): TurnEnd => ({
  status,
  words,
  startedAt,
  endedAt,
});
