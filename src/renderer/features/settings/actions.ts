/** What the settings ask of host and engine. Unlike a command's, their failures are shown where the change was made. */
import type { KeepAlivePolicy, Profile, ProfileChanges } from '../../../protocol/model.ts';
import type { Services } from '../../commands/command.ts';

/** All reject with what a person can read: what happened, and what to do next. */
export interface SettingsActions {
  /** Resolves with the profile as it is now; a built-in one is copied first. */
  updateProfile(profileId: string, changes: ProfileChanges): Promise<Profile>;
  /** `minutes` counts for the policy of that name; absent = as they are. */
  setKeepAlive(policy: KeepAlivePolicy, minutes?: number): Promise<void>;
}

export function settingsActions({ host, engine }: Pick<Services, 'host' | 'engine'>): SettingsActions {
  return {
    async updateProfile(profileId, changes) {
      const { profile } = await host.call('profile/update', { profileId, changes });
      return profile;
    },
    async setKeepAlive(policy, minutes) {
      await engine.call('engine/set-keep-alive', { policy, ...(minutes !== undefined && { minutes }) });
    },
  };
}
