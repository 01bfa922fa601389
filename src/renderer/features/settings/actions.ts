/** What the settings ask of host and engine. Unlike a command's, their failures are shown where the change was made. */
import type { KeepAlivePolicy } from '../../../protocol/model.ts';
import type { Services } from '../../commands/command.ts';
import { desktopActions, type DesktopActions } from './desktop-actions.ts';
import { personActions, type PersonActions } from './person-actions.ts';
import { profileActions, type ProfileActions } from './profile-actions.ts';

/** All reject with what a person can read: what happened, and what to do next. */
export interface SettingsActions extends ProfileActions, PersonActions {
  /** null in a browser. */
  desktop: DesktopActions | null;
  /** `minutes` counts for the policy of that name; absent = as they are. */
  setKeepAlive(policy: KeepAlivePolicy, minutes?: number): Promise<void>;
}

export function settingsActions(services: Services): SettingsActions {
  const { host, engine, desktop } = services;
  return {
    ...profileActions(host),
    ...personActions(services),
    desktop: desktop && desktopActions(desktop),
    async setKeepAlive(policy, minutes) {
      await engine.call('engine/set-keep-alive', { policy, ...(minutes !== undefined && { minutes }) });
    },
  };
}
