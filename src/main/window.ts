/** The window: sandboxed, and where it was last time. */
import { BrowserWindow, nativeTheme, screen, type BrowserWindowConstructorOptions } from 'electron';
import { pageUrl } from './page-scheme.ts';
import { defaultSize, leastSize, reachable, type WindowState } from './window-state.ts';

export interface WindowOptions {
  /** Absolute path of the built preload, one CommonJS file. */
  preload: string;
  icon: string;
  state: WindowState;
  platform: NodeJS.Platform;
}

/** Shown once there is something to see. Loading the page is the caller's: `window.loadURL(pageUrl)`. */
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
  window.once('ready-to-show', () => {
    if (state.maximized) window.maximize();
    window.show();
  });
  return window;
}

/** The page draws the title bar; on macOS the system's own buttons stay. */
function titleBar(platform: NodeJS.Platform): BrowserWindowConstructorOptions {
  return platform === 'darwin' ? { titleBarStyle: 'hiddenInset' } : { frame: false };
}

export function stateOf(window: BrowserWindow): WindowState {
  return { bounds: window.getNormalBounds(), maximized: window.isMaximized() };
}

export const loadPage = (window: BrowserWindow): Promise<void> => window.loadURL(pageUrl);
