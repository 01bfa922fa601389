/** What the profiles of the settings ask of the host. All reject with what a person can read. */
import type { Profile, ProfileChanges, PromptName } from '../../../protocol/model.ts';
import type { HostConnection } from '../../commands/command.ts';

interface PromptChange {
  prompt: PromptName;
  text: string;
  /** The text that was changed: where the file says something else by now, nothing is written. */
  expected: string;
}

export interface ProfileActions {
  /** Resolves with the profile as it is now; a built-in one is copied first. */
  updateProfile(profileId: string, changes: ProfileChanges): Promise<Profile>;
  /** null = from nothing. */
  createProfile(name: string, from: string | null): Promise<Profile>;
  /** `remaining` is the built-in one of the same name. */
  deleteProfile(profileId: string): Promise<{ restoreId: string; remaining: Profile | null }>;
  /** Resolves with the id of what is back. */
  restoreProfile(restoreId: string): Promise<string>;
  /** `conflict` is what the file says where nothing was written because of it. */
  writePrompt(
    profileId: string,
    change: PromptChange,
  ): Promise<{ profile: Profile; conflict: string | null }>;
}

export function profileActions(host: HostConnection): ProfileActions {
  return {
    async updateProfile(profileId, changes) {
      const { profile } = await host.call('profile/update', { profileId, changes });
      return profile;
    },
    async createProfile(name, from) {
      const { profile } = await host.call('profile/create', { name, from });
      return profile;
    },
    deleteProfile: (profileId) => host.call('profile/delete', { profileId }),
    async restoreProfile(restoreId) {
      const { profileId } = await host.call('profile/restore', { restoreId });
      return profileId;
    },
    writePrompt: (profileId, change) => host.call('profile/write-prompt', { profileId, ...change }),
  };
}
