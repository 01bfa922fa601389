/** Skills and trusted folders, as the owner's window asks. */
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { SkillList, skillMethods } from '../../protocol/skill-methods.ts';
import type { SessionManager } from '../sessions/session-manager.ts';
import type { Skills } from '../skills/skills.ts';

export function skillHandlers(
  skills: Pick<Skills, 'list' | 'allow' | 'turnOff' | 'trust'>,
  sessions: Pick<SessionManager, 'get'>,
): Handlers<typeof skillMethods> {
  const folderOf = (sessionId: string | undefined): string | null =>
    sessionId === undefined ? null : sessions.get(sessionId).workspaceReal;
  const list = (sessionId: string | undefined): Promise<SkillList> => skills.list(folderOf(sessionId));
  return {
    'skill/list': ({ sessionId }) => list(sessionId),
    async 'skill/allow'({ sessionId, path, hash }) {
      await skills.allow(folderOf(sessionId), path, hash);
      return list(sessionId);
    },
    async 'skill/turn-off'({ sessionId, path }) {
      await skills.turnOff(folderOf(sessionId), path);
      return list(sessionId);
    },
    'skill/trust-folder'({ sessionId, isTrusted }) {
      skills.trust(sessions.get(sessionId).workspaceReal, isTrusted);
      return list(sessionId);
    },
  };
}
