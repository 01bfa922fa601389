import type { Overlay, SettingsSection } from '../stores/layout-slice.ts';
import { removeNotice, requestFocus, type UiStore } from '../stores/ui-store.ts';
import { commands as text } from '../text.ts';
import { command } from './command.ts';
import {
  defaultTextSize,
  textSizes,
  type Appearance,
  type LanguageChoice,
  type Theme,
} from '../stores/appearance.ts';
import type { KeysStore } from '../stores/keys-store.ts';
import type { KeyChanges } from './shortcuts.ts';
import type { NoteKind } from '../stores/note-kinds.ts';
import type { QuietHours } from '../stores/quiet-hours.ts';
import type { Notifier } from './notifier.ts';

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
    'server/add': command({
      run: () => {
        ui.setState(settingsAt('engine'));
        requestFocus(ui, 'server');
      },
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

/** The desktop's alone: in a browser these keys make the whole page larger. */
const onDesktop = (keys: string) => ({ desktop: keys, web: null });

const themes: Theme[] = ['system', 'dark', 'light'];

/** How the window looks. Each change holds at once and is kept. */
export function createAppearanceCommands(ui: UiStore) {
  /** The theme itself is a command without anything to say, so that keys and menu can have it. */
  const theme = (theme: Theme) =>
    command({
      enabled: () => ui.getState().theme !== theme,
      why: () => text.why.alreadySo,
      run: () => ui.setState({ theme }),
    });
  const language = (language: LanguageChoice) =>
    command({
      enabled: () => ui.getState().language !== language,
      why: () => text.why.alreadySo,
      run: () => ui.setState({ language }),
    });
  const languages = {
    'view/language-system': language('system'),
    'view/language-en': language('en'),
    'view/language-de': language('de'),
  } satisfies Record<`view/language-${LanguageChoice}`, unknown>;
  /** The next step of the type scale; undefined = there is none. */
  const sizeAt = (step: 1 | -1) => textSizes[textSizes.indexOf(ui.getState().textSize) + step];
  const textSize = (keys: string, also: string | null, step: 1 | -1) =>
    command({
      keys: onDesktop(keys),
      also: { desktop: also, web: null },
      enabled: () => sizeAt(step) !== undefined,
      why: () => text.why.noSize,
      run: () => ui.setState({ textSize: sizeAt(step) ?? ui.getState().textSize }),
    });
  return {
    'view/set-appearance': command<Partial<Appearance>>({ run: (changes) => ui.setState(changes) }),
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
    ...languages,
    'view/text-larger': textSize('Mod+Plus', 'Mod+=', 1),
    'view/text-smaller': textSize('Mod+-', null, -1),
    'view/text-normal': command({
      keys: onDesktop('Mod+0'),
      enabled: () => ui.getState().textSize !== defaultTextSize,
      why: () => text.why.alreadySo,
      run: () => ui.setState({ textSize: defaultTextSize }),
    }),
    'view/set-theme': command<{ theme: Theme }>({ run: ({ theme }) => ui.setState({ theme }) }),
  };
}

/** The frame of the window: how wide the list of sessions is, and its notices. */
export function createShellCommands(ui: UiStore) {
  return {
    /** null = as drawn. */
    'view/column-width': command<{ width: number | null }>({
      run: ({ width }) => ui.setState({ columns: { left: width } }),
    }),
    /** Opens an item of the open session where it stands in the transcript. */
    'transcript/show-item': command<{ itemId: string }>({
      run: ({ itemId }) =>
        ui.setState(({ openSessionId, expanded }) => ({
          jump: openSessionId === null ? null : { sessionId: openSessionId, itemId },
          sought: null,
          expanded: { ...expanded, [itemId]: true },
          sheet: null,
        })),
    }),
    'session/rename-title': command({
      keys: 'F2',
      enabled: () => ui.getState().openSessionId !== null && ui.getState().view === 'session',
      run: () => requestFocus(ui, 'title'),
    }),
    /** The window that is served now; drafts and turns go on. */
    'view/reload': command({ run: () => window.location.reload() }),
    'notice/focus': command({
      keys: 'F8',
      enabled: () => ui.getState().notices.length > 0,
      run: () => requestFocus(ui, 'notices'),
    }),
  };
}

/** Which keys run what: the person's choice. */
export function createKeyCommands(keys: KeysStore) {
  return {
    'shortcut/change': command<{ changes: KeyChanges }>({
      run: ({ changes }) =>
        keys.setState(({ rebound }) => ({
          rebound: Object.fromEntries(
            Object.entries({ ...rebound, ...changes }).filter(
              (entry): entry is [string, string | null] => entry[1] !== undefined,
            ),
          ),
        })),
    }),
  };
}

/** The settings of notifications of the desktop. */
export function createNotificationCommands(ui: UiStore, notifier: Notifier | null) {
  return {
    /** Turned on, it first asks for what the page may not do yet. */
    'view/set-notifications': command<{ on: boolean }>({
      run: async ({ on }) => {
        const permission = on ? await notifier?.request() : notifier?.permission();
        ui.setState({ notifies: on, mayNotify: permission ?? null, notesOffered: true });
      },
    }),
    'view/mute-notes': command<{ kind: NoteKind; muted: boolean }>({
      run: ({ kind, muted }) =>
        ui.setState(({ mutedNotes }) => ({
          mutedNotes: [...mutedNotes.filter((each) => each !== kind), ...(muted ? [kind] : [])],
        })),
    }),
    'view/set-quiet-hours': command<Partial<QuietHours>>({
      run: (changes) => ui.setState(({ quietHours }) => ({ quietHours: { ...quietHours, ...changes } })),
    }),
  };
}
