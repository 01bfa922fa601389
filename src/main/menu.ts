/**
 * The application menu: on macOS at the top of the screen, elsewhere behind the menu button of the page, which draws the
 * title bar. What it does is the page's business: an entry sends the name of a command, and the page runs it if it is
 * enabled.
 */
import { Menu, type BrowserWindow, type MenuItemConstructorOptions } from 'electron';
import { appMenu, prunedMenu, type MenuEntry } from '../protocol/app-menu.ts';
import type { MenuCommand, MenuKeys, MenuPlace } from '../protocol/desktop.ts';
import { menuTexts as menu, systemEntry } from './texts.ts';

export interface AppMenuOptions {
  platform: NodeJS.Platform;
  /** Reload and the inspector: it reaches around every other guard. */
  development: boolean;
  keys: MenuKeys;
  run: (command: MenuCommand) => void;
  openDocumentation: () => void;
  /** null = `andiron` is in a terminal's reach already. */
  installCommand: (() => void) | null;
}

export function setAppMenu(options: AppMenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(options)));
}

/** On a Mac these stand in the menu of the app. */
const inMacAppMenu = new Set(['view/settings', 'quit', 'about']);
const developing = new Set(['reload', 'toggleDevTools']);

export function menuTemplate(options: AppMenuOptions): MenuItemConstructorOptions[] {
  const { platform, development } = options;
  const mac = platform === 'darwin';
  const entries = prunedMenu(appMenu, (entry) => {
    if (entry.kind === 'install-command') return options.installCommand !== null;
    const name = entry.kind === 'command' ? entry.command : entry.kind === 'role' ? entry.role : '';
    return !(mac && inMacAppMenu.has(name)) && (development || !developing.has(name));
  });
  const items = entries.map((entry) => itemOf(entry, options));
  if (!mac) return items;
  return [{ role: 'appMenu', submenu: macAppMenu(commandItem('view/settings', options)) }, ...items];
}

function itemOf(entry: MenuEntry, options: AppMenuOptions): MenuItemConstructorOptions {
  switch (entry.kind) {
    case 'command':
      return commandItem(entry.command, options);
    case 'role':
      return system(entry.role);
    case 'documentation':
      return { label: menu.documentation, click: options.openDocumentation };
    case 'install-command':
      return { label: menu.installCommand, click: () => options.installCommand?.() };
    case 'separator':
      return separator;
    case 'menu': {
      const submenu = entry.entries.map((inside) => itemOf(inside, options));
      if (entry.name === 'edit') {
        return { ...system('editMenu'), submenu: [...editing(options.platform), separator, ...submenu] };
      }
      if (entry.name === 'window') return system('windowMenu');
      return entry.name === 'help'
        ? { ...system('help'), submenu }
        : { label: menu.names[entry.name], submenu };
    }
  }
}

/** What the system does itself, under its name in the language of the menu. */
function system(role: NonNullable<MenuItemConstructorOptions['role']>): MenuItemConstructorOptions {
  const label = systemEntry(role);
  return label === undefined ? { role } : { role, label };
}

const separator = { type: 'separator' } as const;

/** What the system's own edit menu has: with entries of one's own it is no longer filled by itself. */
function editing(platform: NodeJS.Platform): MenuItemConstructorOptions[] {
  const last: MenuItemConstructorOptions[] =
    platform === 'darwin'
      ? [system('pasteAndMatchStyle'), system('delete'), system('selectAll')]
      : [system('delete'), separator, system('selectAll')];
  return [system('undo'), system('redo'), separator, system('cut'), system('copy'), system('paste'), ...last];
}

/** Resolves when it is closed again. */
export function popUpMenu(window: BrowserWindow, { x, y }: MenuPlace): Promise<void> {
  return new Promise((resolve) => {
    const shown = Menu.getApplicationMenu();
    // A page that is zoomed counts in larger pixels than the window.
    const zoom = window.webContents.getZoomFactor();
    if (shown) shown.popup({ window, x: Math.round(x * zoom), y: Math.round(y * zoom), callback: resolve });
    else resolve();
  });
}

function macAppMenu(settings: MenuItemConstructorOptions): MenuItemConstructorOptions[] {
  return [
    system('about'),
    separator,
    settings,
    separator,
    system('services'),
    separator,
    system('hide'),
    system('hideOthers'),
    system('unhide'),
    separator,
    system('quit'),
  ];
}

function commandItem(
  command: MenuCommand,
  { platform, keys, run }: AppMenuOptions,
): MenuItemConstructorOptions {
  const accelerator = acceleratorOf(keys[command] ?? null, platform);
  return {
    label: menu.entries[command],
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
