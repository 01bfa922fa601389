/** The window: sandboxed, and where it was last time. */
import { BrowserWindow, nativeTheme, screen, type BrowserWindowConstructorOptions } from 'electron';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { hostLimits, mayRestart } from '../platform/supervision.ts';
import { pageUrl } from './page-scheme.ts';
import { defaultSize, leastSize, reachable, type WindowState } from './window-state.ts';

export interface WindowOptions {
  /** Absolute path of the built preload, one CommonJS file. */
  preload: string;
  icon: string;
  state: WindowState;
  platform: NodeJS.Platform;
}

export interface PageRevival {
  clock: Clock;
  log: Log;
  giveUp: () => void;
}

/** Shown once there is something to see. Loading the page is the caller's: `loadPage`. */
export function createWindow({ preload, icon, state, platform }: WindowOptions): BrowserWindow {
  const areas = screen.getAllDisplays().map((display) => display.workArea);
  const window = new BrowserWindow({
    ...defaultSize,
    ...reachable(state.bounds, areas),
    minWidth: leastSize.width,
    minHeight: leastSize.height,
    show: false,
    icon,
    title: 'Andiron',
    // The frame's surface (tokens.css, --s0), so that nothing flashes before the page is painted.
    backgroundColor: nativeTheme.shouldUseDarkColors ? '#131211' : '#f1efec',
    ...titleBar(platform),
    webPreferences: {
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      // Its dictionaries would be downloaded.
      spellcheck: false,
    },
  });
  showOnce(window, state.maximized, platform);
  return window;
}

function showOnce(window: BrowserWindow, maximized: boolean, platform: NodeJS.Platform): void {
  let shown = false;
  const show = (): void => {
    if (shown) return;
    shown = true;
    if (maximized) window.maximize();
    window.show();
  };
  window.once('ready-to-show', show);
  // Under Wayland a window that was never shown is never painted, so it never becomes ready (electron/electron#48859).
  if (platform === 'linux') window.webContents.once('did-finish-load', show);
}

/** The page draws the title bar; on macOS the system's own buttons stay. */
function titleBar(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  return platform === 'darwin' ? { titleBarStyle: 'hiddenInset' } : { frame: false };
}

export function stateOf(window: BrowserWindow): WindowState {
  return { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
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
