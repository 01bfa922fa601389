import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { fromPage, asksForPorts, page, useDesktop } from '../../test/helpers/desktop-app.ts';
import { app, electron, ipcMain, ipcRenderer, type MenuItem } from '../../test/helpers/electron-stub.ts';
import { channels, menuCommands, type DesktopBridge, type MenuCommand } from '../protocol/desktop.ts';
import { acceleratorOf, menuTemplate } from './menu.ts';
import { menu as text } from '../text/en/menu.ts';

const { start } = useDesktop();
afterEach(() => vi.unstubAllGlobals());

const template = (
  platform: NodeJS.Platform,
  development = false,
  installCommand: (() => void) | null = null,
) => {
  const chosen: MenuCommand[] = [];
  const menu = menuTemplate({
    platform,
    development,
    keys: {},
    run: (command) => chosen.push(command),
    openDocumentation: () => undefined,
    installCommand,
  }) as MenuItem[];
  return { menu, chosen };
};
const every = (items: MenuItem[]): MenuItem[] =>
  items.flatMap((item) => [item, ...every(item.submenu ?? [])]);
const settingsAboutQuit = (platform: NodeJS.Platform, head: string): unknown[] =>
  template(platform)
    .menu.filter(({ label, role }) => (label ?? role) === head)
    .flatMap(({ submenu }) => submenu ?? [])
    .map(({ label, role }) => label ?? role)
    .filter((name) => ['Settings…', 'about', 'quit'].includes(String(name)));
const commandEntry = (install: (() => void) | null): MenuItem | undefined =>
  every(template('linux', false, install).menu).find(({ label }) => label === text.installCommand);
const developing = (development: boolean): unknown[] =>
  every(template('linux', development).menu)
    .map(({ role }) => role)
    .filter((role) => role === 'reload' || role === 'toggleDevTools' || role === 'forceReload');
const heads = (menu: MenuItem[]): unknown[] => menu.map(({ label, role }) => label ?? role);
const entry = (command: MenuCommand): MenuItem | undefined =>
  every(electron.appMenu).find(({ label }) => label === text.entries[command]);
/** What the page was asked to run. */
const told = (): unknown[] =>
  page()
    .webContents.posted.filter(({ channel }) => channel === channels.menuCommand)
    .map(({ message }) => message);
const reportKeys = (keys: unknown, event: unknown = fromPage()): boolean =>
  ipcMain.emit(channels.menuKeys, event, keys);

describe('the application menu', () => {
  test('has the same menus everywhere, and that of the app on a Mac', () => {
    const menus = ['File', 'editMenu', 'View', 'Session', 'Engine', 'windowMenu', 'help'];
    expect(heads(template('linux').menu)).toEqual(menus);
    expect(heads(template('win32').menu)).toEqual(menus);
    expect(heads(template('darwin').menu)).toEqual(['appMenu', ...menus]);
  });

  test('offers every command exactly once', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      const { menu, chosen } = template(platform);
      for (const item of every(menu)) {
        if (item.label !== 'Documentation') item.click?.();
      }
      expect(chosen.toSorted()).toEqual(menuCommands.toSorted());
    }
  });

  test('keeps Settings, About and Quit where the platform has them', () => {
    expect(settingsAboutQuit('darwin', 'appMenu')).toEqual(['about', 'Settings…', 'quit']);
    expect(settingsAboutQuit('darwin', 'File')).toEqual([]);
    expect(settingsAboutQuit('linux', 'File')).toEqual(['Settings…', 'quit']);
    expect(settingsAboutQuit('linux', 'help')).toEqual(['about']);
  });

  test('adds to what the system edits with, and takes none of it away', () => {
    for (const platform of ['linux', 'darwin'] as const) {
      const { menu } = template(platform);
      const entries = menu.find(({ role }) => role === 'editMenu')?.submenu;
      const inside = Array.isArray(entries) ? entries : [];
      const roles = inside.flatMap(({ role }) => role ?? []);
      expect(roles).toEqual(expect.arrayContaining(['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']));
      expect(inside.slice(-2).map(({ label }) => label)).toEqual(['Find…', 'Copy the conversation']);
    }
  });

  test('reloads and inspects only in development', () => {
    expect(developing(true)).toEqual(['reload', 'toggleDevTools']);
    expect(developing(false)).toEqual([]);
  });

  test('installs the command of a terminal where no installer did, and offers it nowhere else (Y8)', () => {
    let installed = 0;
    expect(commandEntry(null)).toBeUndefined();
    commandEntry(() => (installed += 1))?.click?.();
    expect(installed).toBe(1);
  });

  test('leads to the documentation in the browser of the person', async () => {
    start();
    every(electron.appMenu)
      .find(({ label }) => label === 'Documentation')
      ?.click?.();
    await Promise.resolve();
    expect(electron.opened).toEqual(['https://github.com/andiron/andiron#readme']);
  });
});

const sayLanguage = (language: unknown): boolean => ipcMain.emit(channels.language, fromPage(), language);
const shown = (): unknown[] => heads(electron.appMenu);

describe('the language of the menu', () => {
  test('The menu of the desktop begins in the language of the system', () => {
    app.systemLanguages = ['fr-FR', 'de-AT', 'en'];
    start();
    expect(shown()).toEqual(['Datei', 'Bearbeiten', 'Ansicht', 'Sitzung', 'Engine', 'Fenster', 'Hilfe']);
  });

  test('The menu of the desktop is English where the system speaks none of its languages', () => {
    app.systemLanguages = ['tlh'];
    start();
    expect(shown()).toContain('File');
  });

  test('Menu and tray follow the language of the page while they run', () => {
    start();
    asksForPorts();
    sayLanguage('de');
    expect(entry('session/new')).toBeUndefined();
    expect(every(electron.appMenu).map(({ label }) => label)).toContain('Neue Sitzung');
    expect(every(electron.appMenu).map(({ label }) => label)).toContain('Rückgängig');
    expect(electron.trays.at(-1)?.menu.map(({ label }) => label)).toContain('Andiron öffnen');
    sayLanguage('en');
    expect(entry('session/new')).toBeDefined();
  });

  test('A language that main does not have changes nothing', () => {
    start();
    for (const language of ['tlh', 'constructor', 7, null]) sayLanguage(language);
    expect(shown()).toContain('File');
  });
});

describe('an entry', () => {
  test('asks the page to run its command', () => {
    start();
    entry('session/new')?.click?.();
    entry('turn/stop')?.click?.();
    expect(told()).toEqual(['session/new', 'turn/stop']);
  });

  test('that is chosen without a window opens one, and is run when its page listens', () => {
    start('darwin');
    page().close();
    entry('session/new')?.click?.();
    expect(electron.windows).toHaveLength(2);
    expect(told()).toEqual([]);
    asksForPorts();
    expect(told()).toEqual(['session/new']);
    asksForPorts();
    expect(told()).toEqual(['session/new']);
  });

  test('reaches the listeners of the page, until they leave', async () => {
    vi.stubGlobal('window', new EventTarget());
    await import('../preload/index.ts');
    const { menu } = electron.exposed['andiron'] as DesktopBridge;
    const heard: string[] = [];
    const leave = menu.onCommand((command) => heard.push(command));
    ipcRenderer.emit(channels.menuCommand, {}, 'session/new');
    leave();
    ipcRenderer.emit(channels.menuCommand, {}, 'turn/stop');
    expect(heard).toEqual(['session/new']);
    menu.showKeys({ 'session/new': 'Mod+N' });
    expect(electron.sent.at(-1)).toEqual({ channel: channels.menuKeys, args: [{ 'session/new': 'Mod+N' }] });
  });
});

const popUp = (place: unknown): Promise<void> =>
  ipcMain.handlers.get(channels.menuPopUp)?.(fromPage(), place) as Promise<void>;

describe('the menu button of the page', () => {
  test('opens the menu under itself, however the page is zoomed, and hears when it is closed', async () => {
    start('win32');
    page().webContents.zoomFactor = 1.25;
    let closed = false;
    const done = popUp({ x: 8, y: 36 }).then(() => (closed = true));
    await Promise.resolve();
    expect(electron.popUps).toMatchObject([{ x: 10, y: 45, window: page() }]);
    expect(closed).toBe(false);
    electron.popUps[0]?.callback();
    await done;
    expect(closed).toBe(true);
  });

  test('opens nothing at a place that is none', async () => {
    start();
    await expect(popUp({ x: 'left', y: 0 })).rejects.toThrow('expected');
    await expect(popUp(undefined)).rejects.toThrow('expected');
    expect(electron.popUps).toEqual([]);
  });
});

describe('the keys beside the entries', () => {
  beforeEach(() => start());

  test('are those of the page, shown and not taken', () => {
    expect(entry('session/new')?.accelerator).toBeUndefined();
    reportKeys({ 'session/new': 'Mod+N', 'view/left': 'Alt+Shift+ArrowUp', 'turn/stop': 'Escape' });
    expect(entry('session/new')).toMatchObject({
      accelerator: 'CommandOrControl+N',
      registerAccelerator: false,
    });
    expect(entry('view/left')?.accelerator).toBe('Alt+Shift+Up');
    expect(entry('turn/stop')?.accelerator).toBe('Esc');
    reportKeys({ 'session/new': null });
    expect(entry('session/new')?.accelerator).toBeUndefined();
  });

  test('are not taken from strangers, and not for commands that the menu does not have', () => {
    reportKeys({ 'session/new': 'Mod+N' }, { sender: {}, senderFrame: { url: 'https://evil.example/' } });
    reportKeys({ 'session/new': 'Mod+N', 'session/delete-all': 'Mod+D' });
    reportKeys({ 'session/new': 7 });
    reportKeys('Mod+N');
    expect(entry('session/new')?.accelerator).toBeUndefined();
  });

  test('never reach Electron as something that it would throw at', () => {
    for (const keys of ['Mod+', 'Mod+Nonsense', 'Hyper+N', 'Mod+Alt', '', 'Mod+é', 'Mod+ÄÖ']) {
      expect([keys, acceleratorOf(keys, 'linux')]).toEqual([keys, null]);
    }
    expect(acceleratorOf('Mod+Plus', 'linux')).toBe('CommandOrControl+Plus');
    expect(acceleratorOf('Mod+/', 'linux')).toBe('CommandOrControl+/');
    expect(acceleratorOf('F8', 'linux')).toBe('F8');
  });

  test('leave keys without a modifier to the page on a Mac, where a menu takes what it shows', () => {
    expect(acceleratorOf('Escape', 'darwin')).toBeNull();
    expect(acceleratorOf('F8', 'darwin')).toBeNull();
    expect(acceleratorOf('Mod+N', 'darwin')).toBe('CommandOrControl+N');
  });
});
