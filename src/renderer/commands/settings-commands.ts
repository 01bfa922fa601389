import type { Appearance } from '../stores/appearance.ts';
import { requestFocus } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import { command, type Services } from './command.ts';

/** The settings' own: how the window looks, and the way to a row. */
export function createSettingsCommands({ stores: { ui } }: Services) {
  return {
    /** Holds at once and is kept. */
    'view/set-appearance': command<Partial<Appearance>>({ run: (changes) => ui.setState(changes) }),
    'settings/search': command({
      enabled: () => ui.getState().view === 'settings',
      why: text.why.notHere,
      run: () => requestFocus(ui, 'settings-search'),
    }),
  };
}
