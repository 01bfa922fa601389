/** Profiles and the tools that they choose from. */
import type { ProfileChanges, ProfileFile } from '../../protocol/model.ts';
import type { profileMethods, ToolFacts } from '../../protocol/profile-methods.ts';
import type { Handlers } from '../../protocol/rpc-server.ts';
import type { Profiles } from '../profiles/profiles.ts';

export function profileHandlers(
  profiles: Profiles,
  tools: () => ToolFacts[],
): Handlers<typeof profileMethods> {
  return {
    'profile/update': async ({ profileId, changes, takesBack }) => ({
      profile: await profiles.update(profileId, withoutNull(changes), takesBack),
    }),
    'profile/create': async ({ name, from }) => ({ profile: await profiles.create(name, from) }),
    'profile/delete': ({ profileId }) => profiles.remove(profileId),
    'profile/restore': async ({ restoreId }) => ({ profileId: await profiles.restore(restoreId) }),
    'profile/files': ({ profileId }) => profiles.files(profileId),
    'profile/write-prompt': ({ profileId, ...change }) => profiles.writePrompt(profileId, change),
    'tool/list': () => ({ tools: tools() }),
  };
}

/** JSON knows no undefined: null stands for "back to the default" on the wire. */
function withoutNull({ think, ...changes }: ProfileChanges): Partial<ProfileFile> {
  const named = think === undefined ? {} : { think: think ?? undefined };
  return { ...changes, ...named } as Partial<ProfileFile>;
}
