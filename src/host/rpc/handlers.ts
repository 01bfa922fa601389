/** What windows may ask of the host. A mapped type over the method map: nothing can be forgotten. */
import type { HostMethods } from '../../protocol/host-methods.ts';
import type { ToolFacts } from '../../protocol/profile-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Profiles } from '../profiles/profiles.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import { AndironError } from '../../protocol/errors.ts';
import { createPersonHandlers, type PersonDeps } from './person-handlers.ts';
import { firstRunHandlers, type FirstRunDeps } from './exam-handlers.ts';
import { changedFileHandlers, type ChangedFileDeps } from './changed-file-handlers.ts';
import { attachmentHandlers, type AttachmentHandlerDeps } from './attachment-handlers.ts';
import { profileHandlers } from './profile-handlers.ts';

export interface HandlerDeps {
  sessions: SessionManager;
  profiles: Profiles;
  tools: () => ToolFacts[];
  defaults: { profileId: string; workspace: string | null };
  /** Of the other hosts. */
  hostIds: ReadonlySet<string>;
  epoch: string;
  person: PersonDeps;
  files: AttachmentHandlerDeps;
  fileChanges: ChangedFileDeps;
  firstRun: FirstRunDeps;
}

export function createHandlers({
  sessions,
  profiles,
  tools,
  defaults,
  hostIds,
  epoch,
  person,
  files,
  fileChanges,
  firstRun,
}: HandlerDeps): Handlers<HostMethods> {
  return {
    ...attachmentHandlers(files),
    ...changedFileHandlers(fileChanges),
    ...firstRunHandlers(firstRun),
    'host/subscribe': (_params, { connection }) => {
      const { seq, sessions: list } = sessions.follow(connection);
      const { profiles: known, problems } = profiles.state();
      return {
        seq,
        epoch,
        sessions: list,
        profiles: known,
        problems,
        defaults,
        hosts: [...hostIds],
        exam: firstRun.exams.current(),
        exams: firstRun.exams.results(),
      };
    },
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
    'session/update': async ({ sessionId, title, pinned, model, workspace }) => {
      if (workspace !== undefined) await sessions.move(sessionId, workspace);
      const session = sessions.get(sessionId);
      const before = session.summary.model;
      session.change({
        ...(title !== undefined && { title }),
        ...(pinned !== undefined && { pinned }),
        ...(model !== undefined && { model }),
      });
      if (model !== undefined && model !== before) session.personChanged('You chose another model.', true);
      return { session: session.summary };
    },
    'session/delete': async ({ sessionId }) => {
      await sessions.remove(sessionId);
      return {};
    },
    'session/restore': ({ sessionId }) => ({ session: sessions.restore(sessionId) }),
    'session/search': ({ query, sessionId }) => sessions.search(query, sessionId),
    'session/fork': async ({ sessionId, ...from }) => ({ session: await sessions.fork(sessionId, from) }),
    'session/export': async ({ sessionId }) => ({ snapshot: await sessions.export(sessionId) }),
    'session/export-markdown': async ({ sessionId }) => ({
      markdown: await sessions.exportMarkdown(sessionId),
    }),
    'session/import': ({ snapshot }, { signal }) => sessions.import(snapshot, signal),
    'session/import-upload': ({ uploadId }, { connection, signal }) =>
      files.uploads.take(connection, uploadId, (file) => sessions.importFile(() => file.chunks(), signal)),
    'session/reset': ({ sessionId }) => {
      sessions.reset(sessionId);
      return {};
    },
    'session/compact': ({ sessionId }) => sessions.compact(sessionId),
    'session/undo-compaction': ({ sessionId, itemId }) => {
      sessions.undoCompaction(sessionId, itemId);
      return {};
    },
    'todo/update': ({ sessionId, todo }) => {
      sessions.updateTodo(sessionId, todo);
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
    'item/page': ({ sessionId, beforeIndex, limit }) => sessions.page(sessionId, beforeIndex, limit),
    'item/whole-result': ({ sessionId, itemId, from }) => sessions.wholeResult(sessionId, itemId, from),
    'item/place': ({ sessionId, itemId }) => ({ index: sessions.place(sessionId, itemId) }),
    'turn/start': ({ sessionId, queue, ...message }) => sessions.start(sessionId, message, queue),
    'turn/run': ({ sessionId, text }) => sessions.run(sessionId, text),
    'turn/edit-queued': ({ sessionId, turnId, text }) => {
      sessions.editQueued(sessionId, turnId, text);
      return {};
    },
    'turn/move': ({ sessionId, turnId, before }) => {
      sessions.moveQueued(sessionId, turnId, before);
      return {};
    },
    'turn/resume': ({ sessionId, turnId }) => {
      sessions.resumeQueued(sessionId, turnId);
      return {};
    },
    'turn/edit': ({ sessionId, turnId, ...message }) => sessions.replaceTurn(sessionId, turnId, message),
    'turn/regenerate': ({ sessionId, turnId }) => sessions.replaceTurn(sessionId, turnId, { text: null }),
    'turn/stop': ({ sessionId, turnId }) => {
      sessions.get(sessionId).stop(turnId);
      return {};
    },
    'agent/stop': ({ sessionId, callId }) => {
      sessions.get(sessionId).stopAgent(callId);
      return {};
    },
    'call/stop': ({ sessionId, callId }) => {
      sessions.get(sessionId).stopCall(callId);
      return {};
    },
    'approval/answer': async ({ sessionId, approvalId, ...answer }) => {
      await sessions.get(sessionId).answer(approvalId, answer);
      return {};
    },
    ...profileHandlers(profiles, tools),
    ...createPersonHandlers(person),
  };
}
