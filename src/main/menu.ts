/**
 * The application menu: on macOS at the top of the screen, elsewhere behind windows that draw their own title bar. What
 * it does is the page's business: an entry sends the name of a command, and the page runs it if it is enabled.
 */
import { Menu, type MenuItemConstructorOptions } from 'electron';
import type { MenuCommand, MenuKeys } from '../protocol/desktop.ts';
import { menuLabels, texts } from './texts.ts';

export interface AppMenuOptions {
  platform: NodeJS.Platform;
  /** Reload and the inspector: it reaches around every other guard. */
  development: boolean;
  keys: MenuKeys;
  run: (command: MenuCommand) => void;
  openDocumentation: () => void;
}

export function setAppMenu(options: AppMenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

const menu = (label: string, submenu: MenuItemConstructorOptions[]) => ({ label, submenu });
const separator = { type: 'separator' } as const;

export function menuTemplate(options: AppMenuOptions): MenuItemConstructorOptions[] {
  const { platform, development, openDocumentation } = options;
  const mac = platform === 'darwin';
  const entry = (command: MenuCommand): MenuItemConstructorOptions => entryOf(command, options);

  const file = menu(texts.menus.file, [
    entry('session/new'),
    entry('session/choose-workspace'),
    separator,
    entry('session/import'),
    entry('current/export'),
    entry('current/export-markdown'),
    separator,
    // On a Mac both stand in the menu of the app.
    ...(mac ? [] : [entry('view/settings'), separator]),
    { role: 'close' },
    ...(mac ? [] : [{ role: 'quit' as const }]),
  ]);
  const view = menu(texts.menus.view, [
    entry('view/palette'),
    separator,
    entry('view/left'),
    entry('view/right'),
    entry('view/engine'),
    separator,
    menu(texts.menus.textSize, [
      entry('view/text-larger'),
      entry('view/text-smaller'),
      entry('view/text-normal'),
    ]),
    menu(texts.menus.theme, [
      entry('view/theme-light'),
      entry('view/theme-dark'),
      entry('view/theme-system'),
    ]),
    separator,
    ...(development ? [{ role: 'reload' as const }, { role: 'toggleDevTools' as const }, separator] : []),
    { role: 'togglefullscreen' },
  ]);
  const session = menu(texts.menus.session, [
    entry('turn/stop'),
    entry('current/regenerate'),
    separator,
    entry('current/fork'),
    entry('session/rename-title'),
    entry('current/pin'),
    separator,
    entry('session/search'),
    entry('session/next'),
    entry('session/previous'),
    separator,
    entry('current/delete'),
  ]);
  const engine = menu(texts.menus.engine, [
    entry('engine/lend'),
    entry('engine/take-back'),
    entry('engine/eject'),
    separator,
    entry('view/slow'),
  ]);
  const help = [
    entry('view/shortcuts'),
    { label: texts.menus.documentation, click: openDocumentation },
    ...(mac ? [] : [separator, { role: 'about' as const }]),
  ];

  return [
    ...(mac ? [{ role: 'appMenu' as const, submenu: macAppMenu(entry('view/settings')) }] : []),
    file,
    { role: 'editMenu' },
    view,
    session,
    engine,
    { role: 'windowMenu' },
    { role: 'help', submenu: help },
  ];
}

function macAppMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions[] {
  return [
    { role: 'about' },
    separator,
    settings,
    separator,
    { role: 'services' },
    separator,
    { role: 'hide' },
    { role: 'hideOthers' },
    { role: 'unhide' },
    separator,
    { role: 'quit' },
  ];
}

function entryOf(command: MenuCommand, { platform, keys, run }: AppMenuOptions): MenuItemConstructorOptions {
  const accelerator = acceleratorOf(keys[command] ?? null, platform);
  return {
    label: menuLabels[command],
    click: () => run(command),
    // The page handles its shortcuts itself, so here they are only shown. A Mac knows no such entries; but there the
    // page gets every key first, and the menu only what the page left alone: what is not enabled, which the page
    // then refuses a second time. Nothing is run twice.
    ...(accelerator !== null && { accelerator, registerAccelerator: false }),
  };
}

const keyNames: Readonly<Record<string, string>> = {
  Escape: 'Esc',
  ArrowUp: 'Up',
  ArrowDown: 'Down',
  ArrowLeft: 'Left',
  ArrowRight: 'Right',
};
const plainKey = /^(?:[A-Z0-9]|F\d{1,2}|[!-/:-@[-`{-~]|Plus|Space|Home|End|PageUp|PageDown|Delete|Insert)$/;

/**
 * As Electron writes it; null = none. What the page tells is not trusted: Electron throws at what it does not know. On a
 * Mac a key alone would be taken from whatever the page lets pass, from an input method for one.
 */
export function acceleratorOf(keys: string | null, platform: NodeJS.Platform): string | null {
  const parts = keys?.split('+') ?? [];
  const key = parts.pop() ?? '';
  const name = keyNames[key] ?? (plainKey.test(key) ? key : null);
  const modifiers = parts.map((part) => ({ Mod: 'CommandOrControl', Alt: 'Alt', Shift: 'Shift' })[part]);
  if (name === null || modifiers.some((modifier) => modifier === undefined)) return null;
  if (platform === 'darwin' && !parts.includes('Mod') && !parts.includes('Alt')) return null;
  return [...modifiers, name].join('+');
}
