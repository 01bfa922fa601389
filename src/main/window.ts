/** The window: sandboxed, and where it was last time. */
import { BrowserWindow, nativeTheme, screen, type BrowserWindowConstructorOptions } from 'electron';
import type { Clock, Timer } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { hostLimits, mayRestart } from '../platform/supervision.ts';
import { pageUrl } from './page-scheme.ts';
import { minSize, openingBounds, type WindowState } from './window-state.ts';

export interface WindowOptions {
  /** Absolute path of the built preload, one CommonJS file. */
  preload: string;
  icon: string;
  state: WindowState;
  platform: NodeJS.Platform;
  /** The inspector can be opened, which reaches around every other guard. */
  development: boolean;
}

export interface PageRevival {
  clock: Clock;
  log: Log;
  giveUp: () => void;
}

/** Also from a minimised or hidden window. */
export function bringToFront(window: BrowserWindow): void {
  if (window.isMinimized()) window.restore();
  window.show();
  window.focus();
}

/** Not shown yet: `onceToSee` says when. Loading the page is the caller's: `loadPage`. */
export function createWindow({ preload, icon, state, platform, development }: WindowOptions): BrowserWindow {
  const primary = screen.getPrimaryDisplay().workArea;
  const areas = [primary, ...screen.getAllDisplays().map((display) => display.workArea)];
  return new BrowserWindow({
    ...openingBounds(state.bounds, areas),
    minWidth: minSize.width,
    minHeight: minSize.height,
    show: false,
    icon,
    title: 'Andiron',
    // So that nothing flashes before the page is painted.
    backgroundColor: backgroundColor(),
    ...titleBar(platform),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      devTools: development,
      // Its dictionaries would be downloaded.
      spellcheck: false,
    },
  });
}

/** The frame's surface (tokens.css, --s0). */
export const backgroundColor = (): string => (nativeTheme.shouldUseDarkColors ? '#131211' : '#f1efec');

/** Calls back once, when the page has something to show. */
export function onceToSee(window: BrowserWindow, platform: NodeJS.Platform, show: () => void): void {
  let called = false;
  const ready = (): void => {
    if (called) return;
    called = true;
    show();
  };
  window.once('ready-to-show', ready);
  // Under Wayland a window that was never shown is never painted, so it never becomes ready (electron/electron#48859).
  if (platform === 'linux') window.webContents.once('did-finish-load', ready);
}

export function showAsLeft(window: BrowserWindow, { maximized, fullScreen }: WindowState): void {
  if (maximized) window.maximize();
  window.show();
  if (fullScreen) window.setFullScreen(true);
}

/**
 * The page draws the title bar. The system's own buttons stay on macOS, and on Windows, where only they offer its snap
 * layouts (Electron's docs, tutorial/custom-title-bar.md); the page leaves them room (frame.css).
 */
function titleBar(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  if (platform === 'win32') return { titleBarStyle: 'hidden', titleBarOverlay: overlayOf() };
  if (platform !== 'darwin') return { frame: false };
  // In the middle of the drawn title bar (tokens.css, --h-title), which leaves them the room (frame.css, .brand).
  return { titleBarStyle: 'hiddenInset', trafficLightPosition: { x: 12, y: 11 } };
}

/** As high as the drawn title bar (tokens.css, --h-title), in the colours of the frame. */
export function overlayOf(): { color: string; symbolColor: string; height: number } {
  return {
    color: backgroundColor(),
    symbolColor: nativeTheme.shouldUseDarkColors ? '#d8d5cf' : '#33302c',
    height: 36,
  };
}

export function stateOf(window: BrowserWindow): Omit<WindowState, 'theme'> {
  return {
    bounds: window.getNormalBounds(),
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
  };
}

/** Calls back when the window is maximised, restored, full screen, focused, or no longer. */
export function windowChanges(window: BrowserWindow, changed: () => void): void {
  window.on('maximize', changed);
  window.on('unmaximize', changed);
  window.on('enter-full-screen', changed);
  window.on('leave-full-screen', changed);
  window.on('focus', changed);
  window.on('blur', changed);
}

/** How long a window has to stay as it is to be as it was left. */
const settledMs = 500;

/** Calls back a moment after the window was moved or sized: a machine that is switched off closes nothing. */
export function followState(window: BrowserWindow, clock: Clock, keep: () => void): void {
  let wait: Timer | undefined;
  const changed = (): void => {
    wait?.cancel();
    wait = clock.after(settledMs, () => {
      // A minimised window says of itself that it is not maximised.
      if (!window.isDestroyed() && !window.isMinimized()) keep();
    });
  };
  window.on('resize', changed);
  window.on('move', changed);
  window.on('maximize', changed);
  window.on('unmaximize', changed);
  window.on('enter-full-screen', changed);
  window.on('leave-full-screen', changed);
  window.once('closed', () => wait?.cancel());
}

/**
 * A page whose process died leaves a blank window, without even the buttons that the page draws. It is loaded again,
 * as often as a dead host is started again; then `giveUp` is called.
 */
export function reviveCrashedPage(window: BrowserWindow, { clock, log, giveUp }: PageRevival): void {
  let deaths: number[] = [];
  window.webContents.on('render-process-gone', (_event, { reason, exitCode }) => {
    log.warn('the page ended', { reason, exitCode });
    const now = clock.now();
    deaths = [...deaths, now].slice(-hostLimits.restarts - 1);
    const again = mayRestart(deaths, now, hostLimits);
    // A navigation must not begin while the death is still being told.
    clock.after(0, () => {
      if (window.isDestroyed()) return;
      if (again) loadPage(window).catch((error: unknown) => log.error('the page could not be loaded', error));
      else giveUp();
    });
  });
}

export const loadPage = (window: BrowserWindow): Promise<void> => window.loadURL(pageUrl);
