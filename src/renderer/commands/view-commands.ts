import type { SettingsSection, Theme } from '../stores/ui-store.ts';
import { removeNotice, requestFocus } from '../stores/ui-store.ts';
import { command, type Services } from './command.ts';

const themes: Theme[] = ['system', 'dark', 'light'];

/** The window itself, and the engine behind it. */
export function createViewCommands({ engine, host, stores }: Services) {
  const { ui } = stores;
  return {
    'view/left': command({
      keys: 'Mod+B',
      run: () =>
        ui.setState(({ room, sheet, leftOpen }) =>
          room === 'narrow' ? { sheet: sheet === 'left' ? null : 'left' } : { leftOpen: !leftOpen },
        ),
    }),
    'view/right': command({
      keys: 'Mod+J',
      run: () =>
        ui.setState(({ room, sheet, rightOpen }) =>
          room === 'wide' ? { rightOpen: !rightOpen } : { sheet: sheet === 'right' ? null : 'right' },
        ),
    }),
    'view/theme': command({
      keys: 'Mod+Shift+L',
      run: () =>
        ui.setState(({ theme }) => ({
          theme: themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system',
        })),
    }),
    'view/set-theme': command<{ theme: Theme }>({ run: ({ theme }) => ui.setState({ theme }) }),
    'view/settings': command({
      keys: 'Mod+,',
      run: () => ui.setState({ view: 'settings', settingsSection: 'profiles', enginePanel: false }),
    }),
    'view/settings-of': command<{ section: SettingsSection }>({
      run: ({ section }) => ui.setState({ view: 'settings', settingsSection: section, enginePanel: false }),
    }),
    /** What the engine does, and what can be done about it. */
    'view/engine': command({
      keys: 'Alt+G',
      run: () => ui.setState(({ enginePanel }) => ({ enginePanel: !enginePanel })),
    }),
    'view/slow': command({
      keys: 'Alt+W',
      run: () => ui.setState({ view: 'slow', enginePanel: false, sheet: null }),
    }),
    /** Out of the settings, and whatever else takes the window's place. */
    'view/session': command({
      keys: 'Escape',
      enabled: () => ui.getState().view !== 'session',
      run: () => {
        ui.setState({ view: 'session' });
        requestFocus(ui, 'composer');
      },
    }),
    'view/close-sheet': command({
      keys: 'Escape',
      enabled: () => ui.getState().sheet !== null,
      run: () => {
        ui.setState({ sheet: null });
        // What had the keyboard is gone with the sheet.
        requestFocus(ui, 'composer');
      },
    }),
    'composer/focus': command({ keys: 'Mod+Shift+M', run: () => requestFocus(ui, 'composer') }),
    'notice/dismiss': command<{ id: number }>({ run: ({ id }) => removeNotice(ui, id) }),
    'connection/retry': command({
      run: () => {
        host.retryNow();
        engine.retryNow();
      },
    }),
  };
}
