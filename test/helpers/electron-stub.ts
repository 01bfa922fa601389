/**
 * What main uses of Electron, recorded instead of done (`electron` is an alias of this file in tests). Only the calls
 * that Andiron makes exist here. `resetElectron()` before each test; then read what was asked of `electron`.
 */
import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';

type Listener = (...args: unknown[]) => unknown;

/** A port that delivers in order, asynchronously, once started; like MessagePortMain. */
export class MessagePortMain extends EventEmitter {
  #peer: MessagePortMain | undefined;
  #queue: unknown[] = [];
  #started = false;
  closed = false;

  join(peer: MessagePortMain): void {
    this.#peer = peer;
  }
  postMessage(message: unknown, transfer: MessagePortMain[] = []): void {
    const event = { data: structuredClone(message), ports: transfer };
    if (this.closed) return;
    queueMicrotask(() => this.#peer?.deliver(event));
  }
  deliver(event: unknown): void {
    if (this.closed) return;
    if (this.#started) this.emit('message', event);
    else this.#queue.push(event);
  }
  start(): void {
    this.#started = true;
    for (const event of this.#queue.splice(0)) this.emit('message', event);
  }
  /** Both ends hear of it: this one at once. */
  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.emit('close');
    queueMicrotask(() => this.#peer?.close());
  }
}

export class MessageChannelMain {
  port1 = new MessagePortMain();
  port2 = new MessagePortMain();
  constructor() {
    this.port1.join(this.port2);
    this.port2.join(this.port1);
  }
}

export class FakeWebContents extends EventEmitter {
  mainFrame = { url: 'app://andiron/' };
  zoomFactor = 1;
  getZoomFactor = (): number => this.zoomFactor;
  destroyed = false;
  posted: { channel: string; message: unknown; ports: MessagePortMain[] }[] = [];
  windowOpenHandler: ((details: { url: string }) => { action: string }) | undefined;
  getURL(): string {
    return this.mainFrame.url;
  }
  postMessage(channel: string, message: unknown, ports: MessagePortMain[] = []): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    this.posted.push({ channel, message, ports });
  }
  isDestroyed = (): boolean => this.destroyed;
  send(channel: string, message: unknown): void {
    this.postMessage(channel, message);
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return electron.windows.filter((window) => !window.destroyed);
  }
  /** The one that was focused last; none while another app is in front. */
  static getFocusedWindow(): BrowserWindow | null {
    return BrowserWindow.getAllWindows().findLast((window) => window.calls.includes('focus')) ?? null;
  }
  static fromWebContents(contents: FakeWebContents): BrowserWindow | null {
    return BrowserWindow.getAllWindows().find((window) => window.webContents === contents) ?? null;
  }
  webContents = new FakeWebContents();
  calls: string[] = [];
  loaded: string | undefined;
  maximized = false;
  minimized = false;
  destroyed = false;
  bounds = { x: 10, y: 20, width: 1000, height: 700 };
  options: Record<string, unknown>;

  constructor(options: Record<string, unknown>) {
    super();
    this.options = options;
    electron.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  loadURL(url: string): Promise<void> {
    this.loaded = url;
    return Promise.resolve();
  }
  /** As the person's click does: may be prevented. */
  close(): void {
    const event = preventable();
    this.emit('close', event);
    if (event.defaultPrevented) return;
    this.destroyed = true;
    this.webContents.destroyed = true;
    this.webContents.emit('destroyed');
    if (BrowserWindow.getAllWindows().length === 0 && !app.ended) app.emit('window-all-closed');
  }
  show = (): number => this.calls.push('show');
  /** A window manager forgets the state of a window that it no longer shows. */
  hide(): void {
    this.calls.push('hide');
    this.maximized = false;
  }
  focus = (): number => this.calls.push('focus');
  restore = (): number => this.calls.push('restore');
  minimize = (): number => this.calls.push('minimize');
  maximize(): void {
    this.maximized = true;
  }
  unmaximize(): void {
    this.maximized = false;
  }
  isMaximized = (): boolean => this.maximized;
  isDestroyed = (): boolean => this.destroyed;
  isMinimized = (): boolean => this.minimized;
  getNormalBounds = (): typeof this.bounds => this.bounds;
}

/** Ends only when it is killed or when a test emits `exit`: having nothing left to do does not end it. */
export class FakeUtilityProcess extends EventEmitter {
  posted: { message: unknown; ports: MessagePortMain[] }[] = [];
  killed = false;
  /** False = it never gets a process, and then it never exits either. */
  launches = true;
  #ended = false;
  stdout: PassThrough | null;
  entry: string;
  options: Record<string, unknown>;

  constructor(entry: string, options: Record<string, unknown>) {
    super();
    this.entry = entry;
    this.options = options;
    this.stdout = Array.isArray(options['stdio']) ? new PassThrough() : null;
  }
  override emit(event: string | symbol, ...args: unknown[]): boolean {
    const heard = super.emit(event, ...args);
    if (event === 'exit') {
      this.#ended = true;
      // What it printed and nobody has read yet is lost.
      this.stdout?.removeAllListeners();
    }
    return heard;
  }
  postMessage(message: unknown, ports: MessagePortMain[] = []): void {
    this.posted.push({ message, ports });
  }
  kill(): boolean {
    if (this.#ended || !this.launches) return false;
    this.killed = true;
    // A process that was asked to end has ended well, whatever signal did it.
    queueMicrotask(() => this.emit('exit', 0));
    return true;
  }
}

export class Tray extends EventEmitter {
  icon: string;
  toolTip = '';
  title = '';
  menu: MenuItem[] = [];
  destroyed = false;
  constructor(icon: string) {
    super();
    this.icon = icon;
    electron.trays.push(this);
  }
  isDestroyed = (): boolean => this.destroyed;
  setToolTip(text: string): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
    this.toolTip = text;
  }
  setTitle(text: string): void {
    this.title = text;
  }
  setContextMenu(menu: MenuItem[]): void {
    this.menu = menu;
  }
  destroy(): void {
    this.destroyed = true;
  }
}

export interface MenuItem {
  label?: string;
  role?: string;
  enabled?: boolean;
  type?: string;
  accelerator?: string;
  registerAccelerator?: boolean;
  submenu?: MenuItem[];
  click?: () => void;
}

export interface PreventableEvent {
  defaultPrevented: boolean;
  preventDefault(): void;
}

export function preventable<T extends object>(more?: T): PreventableEvent & T {
  const event = {
    defaultPrevented: false,
    preventDefault() {
      event.defaultPrevented = true;
    },
    ...more,
  };
  return event as PreventableEvent & T;
}

class FakeApp extends EventEmitter {
  isPackaged = true;
  getPath = (name: string): string => `/home/anna/${name}`;
  /** Times that `quit` was asked for; the app ends when nothing prevents it. */
  ended = false;
  quit(): void {
    const event = preventable();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.ended = true;
    for (const window of BrowserWindow.getAllWindows()) window.close();
  }
}

export type DownloadState = 'completed' | 'cancelled' | 'interrupted';

/** A download as `will-download` tells of it; `end` is the save dialog, and what the disk makes of it. */
export class FakeDownloadItem extends EventEmitter {
  saveDialogOptions: { defaultPath?: string } | undefined;
  cancelled = false;
  readonly #url: string;
  readonly #name: string;
  #telling = true;

  constructor(url: string, name = 'session.json') {
    super();
    this.#url = url;
    this.#name = name;
  }
  getURL = (): string => this.#url;
  getFilename = (): string => this.#name;
  /** Electron asks with them right after the event, so later ones change nothing. */
  setSaveDialogOptions(options: { defaultPath?: string }): void {
    if (!this.#telling) throw new Error('setSaveDialogOptions after will-download');
    this.saveDialogOptions = options;
  }
  told(): void {
    this.#telling = false;
  }
  end(state: DownloadState): void {
    this.emit('done', {}, state);
  }
  cancel(): void {
    this.cancelled = true;
    this.end('cancelled');
  }
}

class FakeSession extends EventEmitter {
  handlers: Record<string, Listener> = {};
  /** As a link with `download` in that page does. False = refused. */
  download(item: FakeDownloadItem, page: FakeWebContents): boolean {
    const event = preventable();
    this.emit('will-download', event, item, page);
    item.told();
    return !event.defaultPrevented;
  }
  setPermissionRequestHandler = (handler: Listener): void => void (this.handlers['request'] = handler);
  setPermissionCheckHandler = (handler: Listener): void => void (this.handlers['check'] = handler);
  setDevicePermissionHandler = (handler: Listener): void => void (this.handlers['device'] = handler);
  webRequest = {
    onBeforeRequest: (handler: Listener): void => void (this.handlers['beforeRequest'] = handler),
  };
}

class FakeIpcMain extends EventEmitter {
  handlers = new Map<string, Listener>();
  handle(channel: string, handler: Listener): void {
    this.handlers.set(channel, handler);
  }
}

/** What was asked of Electron since the last reset. */
export interface ElectronRecord {
  windows: BrowserWindow[];
  trays: Tray[];
  utilities: FakeUtilityProcess[];
  opened: string[];
  openedPaths: string[];
  openPathFails: string;
  shownPaths: string[];
  errorBoxes: { title: string; content: string }[];
  questions: Record<string, unknown>[];
  /** What the next question box and folder picker answer. */
  answer: number;
  folders: string[];
  schemes: { scheme: string; privileges: Record<string, boolean> }[];
  protocols: Map<string, (request: { url: string; method: string }) => Promise<Response>>;
  appMenu: MenuItem[];
  popUps: PopUp[];
  exposed: Record<string, unknown>;
  sent: { channel: string; args: unknown[] }[];
}

const fresh = (): ElectronRecord => ({
  windows: [],
  trays: [],
  utilities: [],
  opened: [],
  openedPaths: [],
  openPathFails: '',
  shownPaths: [],
  errorBoxes: [],
  questions: [],
  answer: 0,
  folders: [],
  schemes: [],
  protocols: new Map(),
  appMenu: [],
  popUps: [],
  exposed: {},
  sent: [],
});

export const electron: ElectronRecord = fresh();

export const app = new FakeApp();
export const ipcMain = new FakeIpcMain();
export const powerMonitor = new EventEmitter();
export const session = { defaultSession: new FakeSession() };
export const nativeTheme = { shouldUseDarkColors: true };
const display = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
export const screen = {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
};
export const shell = {
  openExternal: (url: string): Promise<void> => Promise.resolve(void electron.opened.push(url)),
  /** Words when it could not; none when it could. */
  openPath(path: string): Promise<string> {
    electron.openedPaths.push(path);
    return Promise.resolve(electron.openPathFails);
  },
  showItemInFolder: (path: string): void => void electron.shownPaths.push(path),
};
export const dialog = {
  showErrorBox: (title: string, content: string): void => void electron.errorBoxes.push({ title, content }),
  showMessageBox(options: Record<string, unknown>): Promise<{ response: number }> {
    electron.questions.push(options);
    return Promise.resolve({ response: electron.answer });
  },
  showOpenDialog: (): Promise<{ filePaths: string[] }> => Promise.resolve({ filePaths: electron.folders }),
};
export const protocol = {
  registerSchemesAsPrivileged: (schemes: ElectronRecord['schemes']): void =>
    void electron.schemes.push(...schemes),
  handle: (scheme: string, handler: (request: { url: string; method: string }) => Promise<Response>): void =>
    void electron.protocols.set(scheme, handler),
};
export const utilityProcess = {
  fork(entry: string, _args: string[], options: Record<string, unknown>): FakeUtilityProcess {
    const child = new FakeUtilityProcess(entry, options);
    electron.utilities.push(child);
    return child;
  },
};
export interface PopUp {
  window: BrowserWindow;
  x: number;
  y: number;
  /** As the person's choice, or a press beside it, does. */
  callback: () => void;
}
export const Menu = {
  buildFromTemplate: (template: MenuItem[]): MenuItem[] => template,
  setApplicationMenu: (menu: MenuItem[]): void => void (electron.appMenu = menu),
  getApplicationMenu: () => ({ popup: (options: PopUp): void => void electron.popUps.push(options) }),
};

/** The preload's side. */
class FakeIpcRenderer extends EventEmitter {
  send = (channel: string, ...args: unknown[]): void => void electron.sent.push({ channel, args });
  invoke = (channel: string, ...args: unknown[]): Promise<unknown> =>
    Promise.resolve(void electron.sent.push({ channel, args }));
}
export const ipcRenderer = new FakeIpcRenderer();
export const contextBridge = {
  exposeInMainWorld: (name: string, value: unknown): void => void (electron.exposed[name] = value),
};

export function resetElectron(): void {
  Object.assign(electron, fresh());
  for (const emitter of [app, ipcMain, powerMonitor, session.defaultSession, ipcRenderer])
    emitter.removeAllListeners();
  ipcMain.handlers.clear();
  session.defaultSession.handlers = {};
  app.isPackaged = true;
  app.ended = false;
}
