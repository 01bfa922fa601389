/** Skills and trusted folders, as the owner's window asks. */
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { SkillList, skillMethods } from '../../protocol/skill-methods.ts';
import type { Skills } from '../skills/skills.ts';

export function skillHandlers(
  skills: Pick<Skills, 'list' | 'allow' | 'turnOff' | 'trust' | 'resolve'>,
): Handlers<typeof skillMethods> {
  const folderOf = async (workspace: string | undefined): Promise<string | null> =>
    workspace === undefined ? null : skills.resolve(workspace);
  const list = async (workspace: string | undefined): Promise<SkillList> =>
    skills.list(await folderOf(workspace));
  return {
    'skill/list': ({ workspace }) => list(workspace),
    async 'skill/allow'({ workspace, path, hash }) {
      await skills.allow(await folderOf(workspace), path, hash);
      return list(workspace);
    },
    async 'skill/turn-off'({ workspace, path }) {
      await skills.turnOff(await folderOf(workspace), path);
      return list(workspace);
    },
    async 'skill/trust-folder'({ workspace, isTrusted }) {
      skills.trust(await skills.resolve(workspace), isTrusted);
      return list(workspace);
    },
  };
}
