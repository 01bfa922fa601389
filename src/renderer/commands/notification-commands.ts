/** The setting that turns notifications of the desktop on and off. */
import type { UiStore } from '../stores/ui-store.ts';
import { command } from './command.ts';
import type { Notifier } from './notifier.ts';

export function createNotificationCommands(ui: UiStore, notifier: Notifier | null) {
  return {
    /** Turned on, it first asks for what the page may not do yet. */
    'view/set-notifications': command<{ on: boolean }>({
      run: async ({ on }) => {
        const permission = on ? await notifier?.request() : notifier?.permission();
        ui.setState({ notifies: on, mayNotify: permission ?? null });
      },
    }),
  };
}
