/** The one window of the app: opened, brought to the front, kept as it was left, and told how it is. */
import { BrowserWindow, nativeTheme, type Event, type WebContents } from 'electron';
import type { Clock } from '../platform/clock.ts';
import type { Log } from '../platform/log.ts';
import { channels, type Theme, type WindowFacts } from '../protocol/desktop.ts';
import { answerHungPage } from './hung-page.ts';
import { showFailure } from './show-failure.ts';
import { texts } from './texts.ts';
import { readWindowState, writeWindowState, type WindowState } from './window-state.ts';
import {
  backgroundColor,
  createWindow,
  followState,
  loadPage,
  onceToSee,
  overlayOf,
  reviveCrashedPage,
  showAsLeft,
  stateOf,
  windowChanges,
  bringToFront,
} from './window.ts';

export interface MainWindowOptions {
  files: { preload: string; icon: string; windowState: string };
  clock: Clock;
  log: Log;
  platform: NodeJS.Platform;
  development: boolean;
  /** The person closes it. */
  onClose: (event: Pick<Event, 'preventDefault'>) => void;
  /** Windows is about to end the person's session, and nothing can hold it back. */
  onSessionEnd: () => void;
}

export type MainWindow = ReturnType<typeof createMainWindow>;

export function createMainWindow(options: MainWindowOptions) {
  const { files, clock, log, platform } = options;
  let hidden = false;
  const shown = new WeakSet<BrowserWindow>();
  nativeTheme.themeSource = readWindowState(files.windowState).theme;
  nativeTheme.on('updated', () => {
    for (const window of BrowserWindow.getAllWindows()) {
      window.setBackgroundColor(backgroundColor());
      if (platform === 'win32') window.setTitleBarOverlay(overlayOf());
    }
  });

  const keep = (window: BrowserWindow): void => {
    // What a hidden window says of itself is not how it was left.
    if (hidden) return;
    // Nor is what one says that is minimised or was never shown: neither says that it is maximised.
    const isAsLeft = shown.has(window) && !window.isMinimized();
    const state = isAsLeft ? stateOf(window) : readWindowState(files.windowState);
    try {
      writeWindowState(files.windowState, { ...state, theme: nativeTheme.themeSource });
    } catch (error) {
      log.error('the window state could not be kept', error);
    }
  };

  const create = (state: WindowState): void => {
    const window = createWindow({ ...files, state, platform, development: options.development });
    onceToSee(window, platform, () => {
      // The app ends.
      if (hidden) return;
      shown.add(window);
      showAsLeft(window, state);
    });
    window.on('close', (event) => {
      keep(window);
      options.onClose(event);
    });
    window.on('session-end', () => options.onSessionEnd());
    followState(window, clock, () => keep(window));
    windowChanges(window, () => reportFacts(window));
    answerHungPage(window, log);
    reviveCrashedPage(window, {
      clock,
      log,
      giveUp() {
        void giveUp(window);
      },
    });
    loadPage(window).catch((error: unknown) => log.error('the page could not be loaded', error));
  };

  return {
    /** To the front, or opened. */
    open(): void {
      const [open] = BrowserWindow.getAllWindows();
      if (!open) {
        create(readWindowState(files.windowState));
        return;
      }
      bringToFront(open);
    },
    /** Kept as it is and taken from sight: the app is about to end. */
    hide(): void {
      for (const window of BrowserWindow.getAllWindows()) {
        keep(window);
        // A full screen window of a Mac has a space to itself, which would stay behind it, black.
        if (platform !== 'darwin' || !window.isFullScreen()) window.hide();
      }
      hidden = true;
    },
    /** A page listens now. */
    pageReady(page: WebContents): void {
      const window = BrowserWindow.fromWebContents(page);
      if (window) reportFacts(window);
    },
    /** The page was told to be light or dark: so are the system's own menus, dialogs and title bar. */
    setTheme(theme: Theme): void {
      if (nativeTheme.themeSource === theme) return;
      nativeTheme.themeSource = theme;
      for (const window of BrowserWindow.getAllWindows()) keep(window);
    },
  };
}

/** A page that never comes back has no buttons of its own, so its window is closed once that was read. */
async function giveUp(window: BrowserWindow): Promise<void> {
  await showFailure(texts.pageLost.title, texts.pageLost.advice);
  if (!window.isDestroyed()) window.close();
}

function reportFacts(window: BrowserWindow): void {
  if (window.isDestroyed()) return;
  const facts: WindowFacts = {
    maximized: window.isMaximized(),
    fullScreen: window.isFullScreen(),
    focused: window.isFocused(),
  };
  window.webContents.send(channels.windowFacts, facts);
}
