import { describe, expect, test, vi } from 'vitest';
import {
  asksForPorts,
  becomesReady,
  connections,
  fromPage,
  handed,
  host,
  joined,
  last,
  page,
  settled,
  useDesktop,
} from '../../test/helpers/desktop-app.ts';
import {
  app,
  electron,
  ipcMain,
  nativeTheme,
  preventable,
  resetElectron,
} from '../../test/helpers/electron-stub.ts';
import { channels } from '../protocol/desktop.ts';

const { start } = useDesktop();

const roles = (): unknown => electron.appMenu.flatMap((item) => item.submenu ?? []).map((item) => item.role);
const ask = (channel: string, ...args: unknown[]): unknown =>
  ipcMain.handlers.get(channel)?.(fromPage(), ...args);
const act = (action: unknown): boolean => ipcMain.emit(channels.windowAction, fromPage(), action);

/** Closed while it was maximised and had been moved, and opened again. */
async function closedMaximized(): Promise<void> {
  start();
  page().emit('ready-to-show');
  page().bounds = { x: 40, y: 50, width: 1111, height: 666 };
  page().maximized = true;
  page().close();
  host().emit('exit', 0);
  await settled();
  resetElectron();
  start();
}

describe('the window', () => {
  test('is sandboxed, isolated and without Node', () => {
    start();
    expect(page().options['webPreferences']).toEqual({
      preload: '/out/preload.cjs',
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: false,
      spellcheck: false,
    });
    expect(page().loaded).toBe('app://andiron/');
  });

  test('is guarded from its first moment', () => {
    start();
    expect(page().webContents.windowOpenHandler?.({ url: 'https://x.example' })).toEqual({ action: 'deny' });
    const navigation = preventable({ url: 'https://evil.example/', isMainFrame: true });
    page().webContents.emit('will-frame-navigate', navigation);
    expect(navigation.defaultPrevented).toBe(true);
  });

  test('appears when there is something to see', () => {
    start();
    expect(page().calls).toEqual([]);
    page().emit('ready-to-show');
    expect(page().calls).toEqual(['show']);
  });

  test('appears under Wayland too, where it is not ready before it is shown', () => {
    start('linux');
    page().webContents.emit('did-finish-load');
    page().emit('ready-to-show');
    expect(page().calls).toEqual(['show']);
    resetElectron();
    start('win32');
    page().webContents.emit('did-finish-load');
    expect(page().calls).toEqual([]);
  });

  test('is loaded again when its page died, and given up in words when it dies every time', () => {
    vi.useFakeTimers();
    try {
      start();
      for (let death = 1; death <= 4; death++) {
        page().loaded = undefined;
        page().webContents.emit('render-process-gone', {}, { reason: 'crashed', exitCode: 5 });
        expect(page().loaded).toBeUndefined();
        vi.advanceTimersByTime(1);
        expect(page().loaded).toBe(death <= 3 ? 'app://andiron/' : undefined);
      }
      expect(electron.questions.map(({ message }) => message)).toEqual(['The window stopped working']);
      expect(electron.errorBoxes).toEqual([]);
    } finally {
      vi.useRealTimers();
    }
  });

  test('comes back where it was', async () => {
    await closedMaximized();
    expect(page().options).toMatchObject({ x: 40, y: 50, width: 1111, height: 666 });
    page().emit('ready-to-show');
    expect(page().maximized).toBe(true);
  });

  test('comes back maximised when it was minimised as the app ended', async () => {
    await closedMaximized();
    page().emit('ready-to-show');
    // A minimised window says that it is not maximised.
    Object.assign(page(), { minimized: true, maximized: false });
    becomesReady();
    app.quit();
    host().emit('exit', 0);
    await settled();
    resetElectron();
    start();
    page().emit('ready-to-show');
    expect(page().maximized).toBe(true);
  });

  test('comes back maximised when the app ended before it was shown', async () => {
    await closedMaximized();
    app.quit();
    host().emit('exit', 0);
    await settled();
    resetElectron();
    start();
    page().emit('ready-to-show');
    expect(page().maximized).toBe(true);
  });

  test('keeps the theme that it was told before it was shown, and how it was left', async () => {
    await closedMaximized();
    ipcMain.emit(channels.theme, fromPage(), 'light');
    resetElectron();
    start();
    expect(nativeTheme.themeSource).toBe('light');
    page().emit('ready-to-show');
    expect(page().maximized).toBe(true);
  });

  test('does not appear any more once the app ends', () => {
    start('linux');
    app.quit();
    page().emit('ready-to-show');
    page().webContents.emit('did-finish-load');
    expect(page().calls).toEqual(['hide']);
  });

  test('a second instance shows the window of the first', () => {
    start();
    page().minimized = true;
    app.emit('second-instance');
    expect(electron.windows).toHaveLength(1);
    expect(page().calls).toEqual(['restore', 'show', 'focus']);
  });

  test('keeps the buttons of macOS and draws its own elsewhere', () => {
    start('darwin');
    expect(page().options).toMatchObject({ titleBarStyle: 'hiddenInset' });
    resetElectron();
    start('linux');
    expect(page().options).toMatchObject({ frame: false });
    resetElectron();
    start('win32');
    expect(page().options).toMatchObject({
      titleBarStyle: 'hidden',
      titleBarOverlay: { color: '#131211', height: 36 },
    });
  });

  test('has no inspector once it is packaged', () => {
    start();
    expect(roles()).not.toContain('toggleDevTools');
    expect(page().options).toMatchObject({ webPreferences: { devTools: false } });
    resetElectron();
    app.isPackaged = false;
    start();
    expect(roles()).toContain('toggleDevTools');
    expect(page().options).toMatchObject({ webPreferences: { devTools: true } });
  });
});

describe('ports', () => {
  test('lead from the page straight to the host and to the engine', async () => {
    const engine = start();
    becomesReady();
    asksForPorts();
    const { host: hostPorts = [], engine: enginePorts = [] } = handed();
    expect([hostPorts.length, enginePorts.length]).toEqual([1, 1]);
    // The first is main's own, for the tray.
    expect(await joined(hostPorts[0], connections(host(), 'window')[1])).toBe(true);

    const heard: unknown[] = [];
    last(engine.pipes).onFrame((frame) => heard.push(frame));
    enginePorts[0]?.postMessage('knock');
    await settled();
    expect(heard).toEqual(['knock']);
  });

  test('that were asked for before the host was ready come when it is', () => {
    start();
    asksForPorts();
    expect(handed()).toEqual({});
    becomesReady();
    expect(Object.keys(handed()).toSorted()).toEqual(['engine', 'host']);
  });

  test('make the host a client of the engine, and the engine begins only once the host has the data folder', async () => {
    const engine = start();
    expect(engine.made).toBe(0);
    becomesReady();
    expect(engine.made).toBe(1);
    const heard: unknown[] = [];
    engine.pipes[0]?.onFrame((frame) => heard.push(frame));
    connections(host(), 'engine')[0]?.postMessage('lease');
    await settled();
    expect(heard).toEqual(['lease']);
  });

  test('to a new host are handed out again after the old one died, to the engine they stay', () => {
    const engine = start();
    becomesReady();
    asksForPorts();
    const first = host();
    first.emit('exit', 139);
    expect(electron.utilities).toHaveLength(2);
    becomesReady();
    const { host: hostPorts = [], engine: enginePorts = [] } = handed();
    expect([hostPorts.length, enginePorts.length, engine.made]).toEqual([2, 1, 1]);
    expect(connections(host(), 'engine')).toHaveLength(1);
  });

  test('are not handed to a page that is gone', () => {
    start('darwin');
    asksForPorts();
    page().close();
    becomesReady();
    expect(handed()).toEqual({});
  });

  test('are fresh after every reload', () => {
    start();
    becomesReady();
    asksForPorts();
    asksForPorts();
    expect(handed()['host']).toHaveLength(2);
  });
});

describe('a message', () => {
  const strangers = {
    'a frame inside the page': () => ({ sender: page().webContents, senderFrame: { url: 'app://andiron/' } }),
    'a frame that is gone': () => ({ sender: page().webContents, senderFrame: null }),
    'another site': () => {
      page().webContents.mainFrame.url = 'https://evil.example/';
      return fromPage();
    },
    'no window of ours': () => ({ sender: {}, senderFrame: { url: 'app://andiron/' } }),
  };

  test.each(Object.entries(strangers))('from %s is refused on every channel', async (_, stranger) => {
    start();
    becomesReady();
    const event = stranger();
    electron.folders = ['/chosen'];
    ipcMain.emit(channels.requestPorts, event);
    ipcMain.emit(channels.windowAction, event, 'minimize');
    ipcMain.emit(channels.theme, event, 'light');
    ipcMain.emit(channels.language, event, 'de');
    ipcMain.emit(channels.menuKeys, event, { 'session/new': 'Mod+N' });
    const calls: Record<string, unknown> = {
      [channels.chooseFolder]: undefined,
      [channels.readSettings]: undefined,
      [channels.changeSettings]: { keepAwake: 'always' },
      [channels.openExternal]: 'https://x.example/',
      [channels.menuPopUp]: { x: 0, y: 0 },
      [channels.fileAction]: { action: 'open', sessionId: null, path: '/' },
    };
    expect(Object.keys(calls).toSorted()).toEqual([...ipcMain.handlers.keys()].toSorted());
    for (const [channel, asked] of Object.entries(calls)) {
      const answer = async (): Promise<unknown> => ipcMain.handlers.get(channel)?.(event, asked);
      await expect(answer()).rejects.toThrow('Refused.');
    }
    expect(nativeTheme.themeSource).toBe('system');
    expect([handed(), page().calls, electron.opened, electron.popUps]).toEqual([{}, [], [], []]);
  });

  test('from the page is answered', async () => {
    start();
    electron.folders = ['/chosen'];
    expect(await ask(channels.chooseFolder)).toBe('/chosen');
    electron.folders = [];
    expect(await ask(channels.chooseFolder)).toBeNull();
    await ask(channels.openExternal, 'https://ollama.com/');
    expect(electron.opened).toEqual(['https://ollama.com/']);
    await expect(ask(channels.openExternal, 'file:///etc/passwd')).rejects.toThrow(/Only http/);
    await expect(ask(channels.openExternal, { href: 'https://x' })).rejects.toThrow(/Only http/);
  });

  test('moves the window as its own title bar would', () => {
    start();
    act('minimize');
    act('toggleMaximize');
    expect([page().calls, page().maximized]).toEqual([['minimize'], true]);
    act('toggleMaximize');
    act('openDevTools');
    expect(page().maximized).toBe(false);
    act('show');
    expect(page().calls).toEqual(['minimize', 'show', 'focus']);
  });
});
