/** Windows and their pages. */
import { EventEmitter } from 'node:events';
import { app } from './app.ts';
import { sent, type MessagePortMain } from './ports.ts';
import { electron, needsReady, preventable } from './record.ts';

export class FakeWebContents extends EventEmitter {
  mainFrame = { url: 'app://andiron/' };
  zoomFactor = 1;
  getZoomFactor = (): number => this.zoomFactor;
  destroyed = false;
  /** Its process died, and nothing was loaded since. */
  gone = false;
  forcefullyCrashed = false;
  posted: { channel: string; message: unknown; ports: MessagePortMain[] }[] = [];
  windowOpenHandler: ((details: { url: string }) => { action: string }) | undefined;

  override emit(event: string | symbol, ...args: unknown[]): boolean {
    // Before anybody hears of it.
    if (event === 'render-process-gone') this.gone = true;
    return super.emit(event, ...args);
  }
  getURL(): string {
    this.#assertAlive();
    return this.mainFrame.url;
  }
  isDestroyed = (): boolean => this.destroyed;
  /** Unlike `send` it has no `try` around it in Electron (lib/browser/api/web-frame-main.ts). */
  postMessage(channel: string, message: unknown, transfer: MessagePortMain[] = []): void {
    this.#assertAlive();
    if (this.gone) throw new Error('Render frame was disposed before WebFrameMain could be accessed');
    const { data, ports } = sent(message, transfer);
    this.posted.push({ channel, message: data, ports });
  }
  /** To a dead page it only writes into the log. */
  send(channel: string, message: unknown): void {
    this.#assertAlive();
    const { data } = sent(message, []);
    if (!this.gone) this.posted.push({ channel, message: data, ports: [] });
  }
  setWindowOpenHandler(handler: (details: { url: string }) => { action: string }): void {
    this.windowOpenHandler = handler;
  }
  forcefullyCrashRenderer(): void {
    this.forcefullyCrashed = true;
    this.emit('render-process-gone', {}, { reason: 'killed', exitCode: 9 });
  }
  #assertAlive(): void {
    if (this.destroyed) throw new TypeError('Object has been destroyed');
  }
}

export class BrowserWindow extends EventEmitter {
  static getAllWindows(): BrowserWindow[] {
    return (electron.windows as BrowserWindow[]).filter((window) => !window.destroyed);
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
  fullScreen = false;
  focused = true;
  destroyed = false;
  bounds = { x: 10, y: 20, width: 1000, height: 700 };
  overlay: Record<string, unknown> | undefined;
  #visible = false;
  options: Record<string, unknown>;

  constructor(options: Record<string, unknown>) {
    needsReady('BrowserWindow');
    super();
    this.options = options;
    electron.windows.push(this);
    app.emit('web-contents-created', {}, this.webContents);
  }
  loadURL(url: string): Promise<void> {
    this.loaded = url;
    this.webContents.gone = false;
    this.webContents.emit('did-start-loading');
    return Promise.resolve();
  }
  /** As the person's click does: may be prevented. */
  close(): void {
    const event = preventable();
    this.emit('close', event);
    if (!event.defaultPrevented) this.destroy();
  }
  /** Asks nobody. */
  destroy(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.webContents.destroyed = true;
    this.webContents.emit('destroyed');
    this.emit('closed');
    if (BrowserWindow.getAllWindows().length === 0 && !app.ended) app.emit('window-all-closed');
  }
  show(): void {
    this.calls.push('show');
    this.#visible = true;
  }
  /** A window manager forgets the state of a window that it no longer shows. */
  hide(): void {
    this.calls.push('hide');
    this.#visible = false;
    this.maximized = false;
  }
  focus = (): number => this.calls.push('focus');
  restore(): void {
    this.calls.push('restore');
    this.minimized = false;
  }
  minimize = (): number => this.calls.push('minimize');
  maximize(): void {
    this.maximized = true;
    this.emit('maximize');
  }
  unmaximize(): void {
    this.maximized = false;
    this.emit('unmaximize');
  }
  /** A Mac takes its time over it, and says when it is over. */
  setFullScreen(on: boolean): void {
    this.calls.push(on ? 'full screen' : 'leave full screen');
    this.fullScreen = on;
    queueMicrotask(() => this.emit(on ? 'enter-full-screen' : 'leave-full-screen'));
  }
  setTitleBarOverlay(overlay: Record<string, unknown>): void {
    if (this.options['titleBarOverlay'] === undefined) throw new Error('Titlebar overlay is not enabled');
    this.overlay = overlay;
  }
  setBackgroundColor = (): number => this.calls.push('background');
  isMaximized = (): boolean => this.maximized;
  isFullScreen = (): boolean => this.fullScreen;
  isFocused = (): boolean => this.focused;
  isDestroyed = (): boolean => this.destroyed;
  isMinimized = (): boolean => this.minimized;
  isVisible = (): boolean => this.#visible;
  getNormalBounds = (): typeof this.bounds => this.bounds;
}
