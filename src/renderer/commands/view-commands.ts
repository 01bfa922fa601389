import type { Overlay, SettingsSection } from '../stores/layout-slice.ts';
import { removeNotice, requestFocus, type UiStore } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import { command } from './command.ts';

/** What the window shows, and what lies over it. `isMac`: the system has the menu. */
const settingsAt = (section: SettingsSection) =>
  ({
    view: 'settings',
    settingsSection: section,
    connectionsTab: 'servers',
  }) as const;

export function createViewCommands(ui: UiStore, isMac: boolean) {
  return {
    'view/palette': command({
      keys: 'Mod+K',
      // Firefox opens a private window with it.
      also: { desktop: 'Mod+Shift+P', web: null },
      run: () => ui.setState({ overlay: 'palette' }),
    }),
    'view/shortcuts': command({
      keys: 'Mod+/',
      also: '?',
      run: () => ui.setState({ overlay: 'shortcuts' }),
    }),
    /** A Mac has it at the top of the screen. Alt alone and F10 open it, too (menu-effects.ts). */
    'view/menu': command({
      enabled: () => !isMac,
      run: () => ui.setState({ overlay: 'menu' }),
    }),
    'view/close-overlay': command<{ overlay: Overlay }>({
      run: ({ overlay }) => ui.setState((state) => (state.overlay === overlay ? { overlay: null } : state)),
    }),
    'view/left': command({
      keys: 'Mod+B',
      run: () =>
        ui.setState(({ room, sheet, leftOpen }) =>
          room === 'narrow' ? { sheet: sheet === 'left' ? null : 'left' } : { leftOpen: !leftOpen },
        ),
    }),
    /** The files that were changed, over the edge of the transcript. */
    'view/right': command({
      keys: 'Mod+J',
      enabled: () => ui.getState().view === 'session',
      run: () => ui.setState(({ sheet }) => ({ sheet: sheet === 'right' ? null : 'right' })),
    }),
    'view/settings': command({
      keys: 'Mod+,',
      run: () => ui.setState(settingsAt('profiles')),
    }),
    'view/settings-of': command<{ section: SettingsSection }>({
      run: ({ section }) => ui.setState(settingsAt(section)),
    }),
    'view/skills': command({
      run: () => ui.setState({ ...settingsAt('connections'), connectionsTab: 'skills' }),
    }),
    'settings/search': command({
      enabled: () => ui.getState().view === 'settings',
      why: () => text.why.notHere,
      run: () => requestFocus(ui, 'settings-search'),
    }),
    /** What the engine does, and what can be done about it. */
    'view/engine': command({
      keys: 'Alt+G',
      run: () => ui.setState(({ view }) => ({ view: view === 'engine' ? 'session' : 'engine', sheet: null })),
    }),
    'view/slow': command({
      keys: 'Alt+W',
      run: () => ui.setState({ view: 'slow', sheet: null }),
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
  };
}
