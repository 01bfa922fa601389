/** Sessions as windows ask for them: made, changed, followed, searched, copied in and out. */
import { AndironError } from '../../protocol/errors.ts';
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Uploads } from '../attachments/uploads.ts';
import type { Profiles } from '../profiles/profiles.ts';
import { approvePlan } from '../sessions/approve-plan.ts';
import type { SessionManager } from '../sessions/session-manager.ts';

export interface SessionHandlerDeps {
  sessions: SessionManager;
  profiles: Pick<Profiles, 'get'>;
  uploads: Pick<Uploads, 'take'>;
  search: SearchSessions;
  epoch: string;
  /** Rejects with why not: nothing is kept in, or undo does not cover the folder. @param folder its real path */
  mayWorkAlone: (folder: string) => Promise<void>;
}

type SessionMethods = Pick<HostMethods, Extract<keyof HostMethods, `session/${string}`>>;

/** A newer question of the same asker takes the place of an older one. */
export type SearchSessions = (
  asker: object,
  query: string,
  sessionId?: string,
) => ReturnType<Handlers<SessionMethods>['session/search']>;

export function sessionHandlers({
  sessions,
  profiles,
  uploads,
  search,
  epoch,
  mayWorkAlone,
}: SessionHandlerDeps): Handlers<SessionMethods> {
  return {
    'session/create': async ({ workspace, profileId }) => ({
      session: await sessions.create(workspace, profileId),
    }),
    'session/subscribe': ({ sessionId }, { connection }) => ({
      ...sessions.get(sessionId).subscribe(connection),
      epoch,
    }),
    'session/unsubscribe': ({ sessionId }, { connection }) => {
      sessions.get(sessionId).unsubscribe(connection);
      return {};
    },
    'session/update': async ({ sessionId, title, pinned, archived, model, workspace, approvals }) => {
      if (workspace !== undefined) await sessions.move(sessionId, workspace);
      const session = sessions.get(sessionId);
      const before = session.summary.model;
      if (approvals === 'autonomous') await mayWorkAlone(session.workspaceReal);
      session.change({
        ...(title !== undefined && { title, titledBy: 'person' as const }),
        ...(pinned !== undefined && { pinned }),
        ...(model !== undefined && { model }),
        ...(approvals !== undefined && { approvals }),
      });
      if (archived !== undefined) sessions.archiveSession(sessionId, archived);
      if (model !== undefined && model !== before) session.personChanged('You chose another model.', true);
      return { session: session.summary };
    },
    'session/approve-plan': async ({ sessionId, ...approval }) => {
      if (approval.approvals === 'autonomous') await mayWorkAlone(sessions.get(sessionId).workspaceReal);
      return approvePlan(sessions.get(sessionId), approval);
    },
    'session/delete': async ({ sessionId }) => {
      await sessions.remove(sessionId);
      return {};
    },
    'session/restore': ({ sessionId }) => ({ session: sessions.restore(sessionId) }),
    'session/search': ({ query, sessionId }, { connection }) => search(connection, query, sessionId),
    'session/fork': async ({ sessionId, ...from }) => ({
      session: await sessions.archive.fork(sessionId, from),
    }),
    'session/export': async ({ sessionId }) => ({ snapshot: await sessions.archive.export(sessionId) }),
    'session/export-markdown': async ({ sessionId }) => ({
      markdown: await sessions.archive.exportMarkdown(sessionId),
    }),
    'session/import': ({ snapshot }, { signal }) => sessions.archive.import(snapshot, signal),
    'session/import-upload': ({ uploadId }, { connection, signal }) =>
      uploads.take(connection, uploadId, (file) => sessions.archive.importFile(() => file.chunks(), signal)),
    'session/reset': ({ sessionId }) => {
      sessions.reset(sessionId);
      return {};
    },
    'session/compact': ({ sessionId }) => sessions.compact(sessionId),
    'session/undo-compaction': ({ sessionId, itemId }) => {
      sessions.undoCompaction(sessionId, itemId);
      return {};
    },
    'session/set-profile': ({ sessionId, profileId }) => {
      const profile = profiles.get(profileId);
      if (!profile)
        throw new AndironError(
          'not_found',
          'This profile does not exist any more.',
          'Choose another profile.',
        );
      const session = sessions.get(sessionId);
      const before = profiles.get(session.summary.profileId);
      session.change({ profileId });
      if (before?.id !== profileId)
        session.personChanged(
          `You switched to the profile ${profile.name}.`,
          before?.contextTokens !== profile.contextTokens,
        );
      return { session: session.summary };
    },
  };
}
