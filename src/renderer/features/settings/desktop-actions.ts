import type { DesktopBridge, DesktopSettings } from '../../../protocol/desktop.ts';
import { AndironError } from '../../../protocol/errors.ts';
import { person } from '../../text.ts';

/** Both reject with what a person can read. */
export interface DesktopActions {
  read(): Promise<DesktopSettings>;
  change(change: Partial<DesktopSettings>): Promise<DesktopSettings>;
}

export function desktopActions({ settings }: Pick<DesktopBridge, 'settings'>): DesktopActions {
  return {
    read: () => settings.read(),
    async change(change) {
      const changed = await settings.change(change);
      if (changed === null) {
        throw new AndironError('storage', person.desktop.notKept.message, person.desktop.notKept.advice);
      }
      return changed;
    },
  };
}
