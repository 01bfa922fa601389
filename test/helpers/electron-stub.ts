/**
 * What main uses of Electron, recorded instead of done (`electron` is an alias of this file in tests). It refuses what
 * Electron refuses: messages that cannot be cloned, ports that were handed over, pages that died, calls before and after
 * `ready`. Only the calls that Andiron makes exist here. `resetElectron()` before each test; then read what was asked of
 * `electron`.
 */
import { EventEmitter } from 'node:events';
import type * as real from 'electron';
import type { dialog, powerSaveBlocker, protocol, safeStorage, screen, shell } from './electron/app.ts';
import { app, forgetBlockers, nativeTheme, powerMonitor } from './electron/app.ts';
import type { Menu, Tray } from './electron/menu.ts';
import type { MessageChannelMain, MessagePortMain } from './electron/ports.ts';
import type { utilityProcess } from './electron/processes.ts';
import { type FakeUtilityProcess } from './electron/processes.ts';
import type { net, session } from './electron/net.ts';
import { autoUpdater, forgetSessions } from './electron/net.ts';
import { electron as record, forgetRecord, type PartialRecord } from './electron/record.ts';
import type { FakeDownloadItem } from './electron/session.ts';
import type { FakeSession } from './electron/session.ts';
import type { BrowserWindow, FakeWebContents } from './electron/windows.ts';

export * from './electron/app.ts';
export * from './electron/menu.ts';
export * from './electron/net.ts';
export * from './electron/ports.ts';
export * from './electron/processes.ts';
export { preventable, type MenuItem, type PopUp, type PreventableEvent } from './electron/record.ts';
export * from './electron/session.ts';
export * from './electron/windows.ts';

/** What was asked of Electron since the last reset. */
export interface ElectronRecord extends PartialRecord {
  windows: BrowserWindow[];
  trays: Tray[];
  utilities: FakeUtilityProcess[];
}
export const electron = record as ElectronRecord;

type Listener = (...args: unknown[]) => unknown;

class FakeIpcMain extends EventEmitter {
  handlers = new Map<string, Listener>();
  handle(channel: string, handler: Listener): void {
    if (this.handlers.has(channel)) {
      throw new Error(`Attempted to register a second handler for '${channel}'`);
    }
    this.handlers.set(channel, handler);
  }
}
export const ipcMain = new FakeIpcMain();

/** The preload's side. What leaves it is cloned. */
class FakeIpcRenderer extends EventEmitter {
  send = (channel: string, ...args: unknown[]): void =>
    void electron.sent.push({ channel, args: structuredClone(args) });
  invoke = (channel: string, ...args: unknown[]): Promise<unknown> =>
    Promise.resolve(void electron.sent.push({ channel, args: structuredClone(args) }));
}
export const ipcRenderer = new FakeIpcRenderer();

export const contextBridge = {
  /** Functions cross the bridge, and plain values; a port does not. */
  exposeInMainWorld(name: string, value: unknown): void {
    if (Object.hasOwn(electron.exposed, name)) {
      throw new Error(`Cannot bind an API on top of an existing property on the window object: ${name}`);
    }
    electron.exposed[name] = value;
  },
};

export function resetElectron(): void {
  forgetRecord();
  forgetBlockers();
  app.forget();
  forgetSessions();
  for (const emitter of [ipcMain, powerMonitor, autoUpdater, ipcRenderer, nativeTheme])
    emitter.removeAllListeners();
  ipcMain.handlers.clear();
  powerMonitor.onBatteryPower = false;
  nativeTheme.themeSource = 'system';
}

type Names<T> = Exclude<keyof T, keyof EventEmitter>;
/** What the stub has and Electron does not, beside what only tests ask of it. */
type Invented<Fake, Real, TestOnly = never> = Exclude<Names<Fake>, keyof Real | TestOnly>;
type WindowExtras =
  'calls' | 'loaded' | 'maximized' | 'minimized' | 'focused' | 'destroyed' | 'bounds' | 'overlay' | 'options';

/** Names that the stub made up, by part. */
interface Drift {
  app: Invented<
    typeof app,
    real.App,
    | 'ended'
    | 'exitCode'
    | 'holdsLock'
    | 'handedOver'
    | 'appUserModelId'
    | 'becomeReady'
    | 'forget'
    | 'version'
    | 'systemLanguages'
    | 'relaunched'
  >;
  commandLine: Invented<(typeof app)['commandLine'], real.CommandLine>;
  powerMonitor: Invented<typeof powerMonitor, real.PowerMonitor, 'shutDown'>;
  powerSaveBlocker: Invented<typeof powerSaveBlocker, real.PowerSaveBlocker>;
  nativeTheme: Invented<typeof nativeTheme, real.NativeTheme, 'systemDark'>;
  safeStorage: Invented<typeof safeStorage, real.SafeStorage>;
  screen: Invented<typeof screen, real.Screen>;
  shell: Invented<typeof shell, real.Shell>;
  dialog: Invented<typeof dialog, real.Dialog>;
  protocol: Invented<typeof protocol, real.Protocol>;
  menu: Invented<typeof Menu, typeof real.Menu>;
  tray: Invented<Tray, real.Tray, 'icon' | 'toolTip' | 'title' | 'menu' | 'destroyed'>;
  channel: Invented<MessageChannelMain, real.MessageChannelMain>;
  port: Invented<MessagePortMain, real.MessagePortMain, 'closed' | 'neutered' | 'handOver'>;
  fork: Invented<typeof utilityProcess, typeof real.utilityProcess>;
  utility: Invented<
    FakeUtilityProcess,
    real.UtilityProcess,
    'posted' | 'killed' | 'launches' | 'runningTurns' | 'entry' | 'options'
  >;
  windows: Invented<typeof BrowserWindow, typeof real.BrowserWindow>;
  window: Invented<BrowserWindow, real.BrowserWindow, WindowExtras>;
  contents: Invented<
    FakeWebContents,
    real.WebContents,
    'destroyed' | 'gone' | 'forcefullyCrashed' | 'posted' | 'windowOpenHandler'
  >;
  download: Invented<FakeDownloadItem, real.DownloadItem, 'saveDialogOptions' | 'cancelled' | 'told' | 'end'>;
  session: Invented<FakeSession, real.Session, 'handlers' | 'download' | 'lets'>;
  sessions: Invented<typeof session, typeof real.session>;
  net: Invented<typeof net, real.Net>;
  ipcMain: Invented<typeof ipcMain, real.IpcMain, 'handlers'>;
  ipcRenderer: Invented<typeof ipcRenderer, real.IpcRenderer>;
  contextBridge: Invented<typeof contextBridge, real.ContextBridge>;
}

/** A name that Electron's own types do not have, or have no more, is an error of the compiler here. */
export const invented = {} satisfies { [K in keyof Drift as Drift[K] extends never ? never : K]: never };
