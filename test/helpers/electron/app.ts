/** The app itself, and the single parts of Electron that belong to no window. */
import { EventEmitter } from 'node:events';
import { electron, needsEarly, needsReady, preventable } from './record.ts';

class FakeApp extends EventEmitter {
  isPackaged = true;
  /** Times that `quit` was asked for; the app ends when nothing prevents it. */
  ended = false;
  exitCode: number | undefined;
  /** False = another one holds it. */
  holdsLock = true;
  /** What a second start was given for the first. */
  handedOver: unknown;
  appUserModelId = '';
  version = '0.1.0';
  /** As the person has ordered them in the system. */
  systemLanguages = ['en-GB'];
  /** What starts once this process has ended. */
  relaunched: unknown;
  #ready = Promise.withResolvers<void>();
  readonly commandLine = {
    hasSwitch: (name: string): boolean => electron.switches.includes(name),
    appendSwitch: (name: string): void => needsEarly(`commandLine.appendSwitch ${name}`),
  };

  getVersion = (): string => this.version;
  relaunch(options?: { args?: string[]; execPath?: string }): void {
    this.relaunched = options ?? {};
  }
  getPreferredSystemLanguages = (): string[] => {
    needsReady('getPreferredSystemLanguages');
    return this.systemLanguages;
  };
  getPath = (name: string): string => `/home/anna/${name}`;
  setPath(name: string, path: string): void {
    needsEarly(`setPath ${name}`);
    if (path === '') throw new Error('Path must be absolute');
  }
  requestSingleInstanceLock(data: unknown): boolean {
    needsEarly('requestSingleInstanceLock');
    // It travels to the other process as JSON.
    this.handedOver = data === undefined ? undefined : (JSON.parse(JSON.stringify(data)) as unknown);
    return this.holdsLock;
  }
  enableSandbox = (): void => needsEarly('enableSandbox');
  disableHardwareAcceleration = (): void => needsEarly('disableHardwareAcceleration');
  setAppUserModelId(id: string): void {
    electron.calls.push('setAppUserModelId');
    this.appUserModelId = id;
  }
  isReady = (): boolean => electron.ready;
  whenReady = (): Promise<void> => (electron.ready ? Promise.resolve() : this.#ready.promise);
  /** As Electron does once the entry has run. */
  becomeReady(): void {
    electron.ready = true;
    this.emit('ready');
    this.#ready.resolve();
  }
  quit(): void {
    const event = preventable();
    this.emit('before-quit', event);
    if (event.defaultPrevented) return;
    this.ended = true;
    for (const window of electron.windows) if (!window.destroyed) window.close();
    this.emit('will-quit', preventable());
    this.emit('quit', {}, 0);
  }
  exit(code = 0): void {
    this.ended = true;
    this.exitCode = code;
  }
  forget(): void {
    this.removeAllListeners();
    this.#ready = Promise.withResolvers();
    Object.assign(this, {
      isPackaged: true,
      ended: false,
      exitCode: undefined,
      holdsLock: true,
      version: '0.1.0',
      systemLanguages: ['en-GB'],
    });
    this.relaunched = undefined;
    this.handedOver = undefined;
    this.appUserModelId = '';
  }
}

export const app = new FakeApp();

class FakePowerMonitor extends EventEmitter {
  onBatteryPower = false;
  override on(event: string | symbol, listener: (...args: unknown[]) => void): this {
    needsReady('powerMonitor');
    return super.on(event, listener);
  }
  isOnBatteryPower = (): boolean => this.onBatteryPower;
  /** The system is about to shut down. True = it is asked to wait (Linux and macOS). */
  shutDown(): boolean {
    const event = preventable();
    this.emit('shutdown', event);
    return event.defaultPrevented;
  }
}
export const powerMonitor = new FakePowerMonitor();

/** As Linux has it without a keyring. Before `ready` nobody knows. */
export const safeStorage = {
  getSelectedStorageBackend: () => (app.isReady() ? 'basic_text' : 'unknown'),
  isAsyncEncryptionAvailable: () => Promise.resolve(false),
  encryptStringAsync: () => Promise.reject(new Error('Encryption is not available.')),
  decryptStringAsync: () => Promise.reject(new Error('Decryption is not available.')),
};

const blockers = new Map<number, string>();
export const powerSaveBlocker = {
  start(kind: string): number {
    needsReady('powerSaveBlocker');
    const id = blockers.size + 1;
    blockers.set(id, kind);
    electron.keptAwake = [...blockers.values()];
    return id;
  },
  stop(id: number): boolean {
    const held = blockers.delete(id);
    electron.keptAwake = [...blockers.values()];
    return held;
  },
  isStarted: (id: number): boolean => blockers.has(id),
};
export const forgetBlockers = (): void => blockers.clear();

class FakeTheme extends EventEmitter {
  systemDark = true;
  #source: 'system' | 'light' | 'dark' = 'system';
  get themeSource(): 'system' | 'light' | 'dark' {
    return this.#source;
  }
  set themeSource(source: 'system' | 'light' | 'dark') {
    if (!['system', 'light', 'dark'].includes(source)) throw new TypeError('Error processing argument');
    this.#source = source;
    this.emit('updated');
  }
  get shouldUseDarkColors(): boolean {
    return this.#source === 'system' ? this.systemDark : this.#source === 'dark';
  }
}
export const nativeTheme = new FakeTheme();

const display = { workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
export const screen = {
  getPrimaryDisplay() {
    needsReady('screen');
    return display;
  },
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
  /** Until it is clicked no port, timer or ping of main runs, and with main the engine stands still. */
  showErrorBox(title: string, content: string): void {
    electron.errorBoxes.push({ title, content });
    if (electron.utilities.some(({ runningTurns }) => runningTurns > 0)) {
      electron.faults.push(`An error box stopped main while a turn ran: ${title}`);
    }
  },
  showMessageBox(...given: Record<string, unknown>[]): Promise<{ response: number }> {
    needsReady('dialog.showMessageBox');
    const options = given.at(-1) ?? {};
    electron.questions.push(options);
    return Promise.resolve({ response: electron.answer });
  },
  showOpenDialog: (): Promise<{ filePaths: string[] }> => Promise.resolve({ filePaths: electron.folders }),
};

export const protocol = {
  registerSchemesAsPrivileged(schemes: (typeof electron)['schemes']): void {
    needsEarly('protocol.registerSchemesAsPrivileged');
    electron.schemes.push(...schemes);
  },
  handle(scheme: string, handler: (request: { url: string; method: string }) => Promise<Response>): void {
    needsReady('protocol.handle');
    if (electron.protocols.has(scheme)) throw new Error(`Failed to register protocol: ${scheme}`);
    electron.protocols.set(scheme, handler);
  },
};
