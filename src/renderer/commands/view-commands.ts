import { defaultTextSize, textSizes } from '../stores/appearance.ts';
import type { Theme } from '../stores/appearance.ts';
import type { Overlay, SettingsSection } from '../stores/layout.ts';
import { removeNotice, requestFocus } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import { command, type Services } from './command.ts';

/** The desktop's alone: in a browser these keys make the whole page larger. */
const onDesktop = (keys: string) => ({ desktop: keys, web: null });

const themes: Theme[] = ['system', 'dark', 'light'];

/** The window itself, and the engine behind it. */
export function createViewCommands({ desktop, engine, host, signOut, stores }: Services) {
  const { ui } = stores;
  /** The theme itself is a command without anything to say, so that keys and menu can have it. */
  const theme = (theme: Theme) =>
    command({
      enabled: () => ui.getState().theme !== theme,
      why: text.why.alreadySo,
      run: () => ui.setState({ theme }),
    });
  /** The next step of the type scale; undefined = there is none. */
  const sizeAt = (step: 1 | -1) => textSizes[textSizes.indexOf(ui.getState().textSize) + step];
  const textSize = (keys: string, also: string | null, step: 1 | -1) =>
    command({
      keys: onDesktop(keys),
      also: { desktop: also, web: null },
      enabled: () => sizeAt(step) !== undefined,
      why: text.why.noSize,
      run: () => ui.setState({ textSize: sizeAt(step) ?? ui.getState().textSize }),
    });
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
      enabled: () => desktop?.platform !== 'darwin',
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
    'view/theme-light': theme('light'),
    'view/theme-dark': theme('dark'),
    'view/theme-system': theme('system'),
    'view/text-larger': textSize('Mod+Plus', 'Mod+=', 1),
    'view/text-smaller': textSize('Mod+-', null, -1),
    'view/text-normal': command({
      keys: onDesktop('Mod+0'),
      enabled: () => ui.getState().textSize !== defaultTextSize,
      why: text.why.alreadySo,
      run: () => ui.setState({ textSize: defaultTextSize }),
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
    'update/restart': command({
      enabled: () => ui.getState().updates?.state.kind === 'ready',
      run: () => desktop?.updates.act('restart'),
    }),
    'update/dismiss': command({
      enabled: () => Boolean(ui.getState().updates?.whatsNew ?? ui.getState().updates?.notInstalled),
      run: () => desktop?.updates.act('dismiss'),
    }),
    'update/check': command({
      enabled: () => ui.getState().updates !== null,
      run: () => desktop?.updates.act('check'),
    }),
    'connection/retry': command({
      enabled: () => host.state !== 'live' || engine.state !== 'live',
      why: text.why.connected,
      run: () => {
        host.retryNow();
        engine.retryNow();
      },
    }),
    /** This page is signed out with them: its sockets are closed, and it then says how to come back. */
    'connection/sign-out': command({
      enabled: () => signOut !== null && host.state !== 'refused',
      why: text.why.noSignIn,
      run: () => signOut?.(),
    }),
  };
}
