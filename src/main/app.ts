/** The desktop app: one agent host, one engine, windows, started and stopped together (design 2, 12). */
import { dirname, join } from 'node:path';
import { app, BrowserWindow, dialog, powerMonitor, session, type MessagePortMain } from 'electron';
import type { Clock } from '../platform/clock.ts';
import { codeCacheVariables } from '../platform/code-cache.ts';
import type { HostInit } from '../platform/host-channel.ts';
import type { Log } from '../platform/log.ts';
import { pipeFromPort, type Pipe } from '../platform/pipe.ts';
import { superviseHost } from '../platform/supervision.ts';
import type { EngineState } from '../protocol/model.ts';
import { channels } from '../protocol/desktop.ts';
import { createClosing } from './closing.ts';
import { guardDownloads } from './downloads.ts';
import { engineCall } from './engine-call.ts';
import { guardContents, guardSession } from './guards.ts';
import { answerPages } from './ipc.ts';
import { createMenuLine } from './menu-line.ts';
import { servePage } from './page-scheme.ts';
import { handOut } from './own-files.ts';
import { createPortBroker, linkPorts } from './ports.ts';
import { watchSessions, type SessionWatch } from './session-watch.ts';
import { stopAllTurns } from './stop-turns.ts';
import { texts } from './texts.ts';
import { createTray } from './tray.ts';
import { startDesktopUpdates } from './updates/desktop-updates.ts';
import { updateKey } from './updates/release-source.ts';
import { forkUtilityHost } from './utility.ts';
import { readWindowState, writeWindowState } from './window-state.ts';
import { createWindow, followState, loadPage, reviveCrashedPage, stateOf } from './window.ts';

/** What is used of the engine. */
export interface DesktopEngine {
  connect(pipe: Pipe): void;
  state(): EngineState;
  onChange(listener: (state: EngineState) => void): () => void;
  stop(): Promise<void>;
}

export interface DesktopDeps {
  init: HostInit;
  /** Absolute paths of what was built or bundled. */
  files: {
    host: string;
    preload: string;
    rendererDir: string;
    icon: string;
    trayIcon: string;
    windowState: string;
  };
  /** Called once the host holds the data folder: two engines must never write to one. */
  createEngine: () => DesktopEngine;
  clock: Clock;
  log: Log;
  platform: NodeJS.Platform;
}

/** After the app is ready, in the one instance that may run. */
export function startDesktop({ init, files, createEngine, clock, log, platform }: DesktopDeps): void {
  let engine: DesktopEngine | undefined;
  let watch: SessionWatch | undefined;
  let windowsHidden = false;
  const ports = createPortBroker();

  servePage(files.rendererDir);
  guardSession(session.defaultSession);
  guardDownloads(session.defaultSession, {
    downloadsDir: () => folderOf('downloads'),
    onRefused: (address) => log.warn('refused a download that is no file of the page', { address }),
  });
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
  const development = !app.isPackaged;
  const menu = createMenuLine({ platform, development, openWindow: () => openWindow() });

  const supervisor = superviseHost({
    spawn: () => forkUtilityHost(files.host, log, init.env ?? {}, codeCacheVariables(init.dataDir)),
    init,
    clock,
    log,
    onReady(host) {
      const connectEngine = (port: MessagePortMain): void => engine?.connect(pipeFromPort(port));
      if (!engine) {
        engine = createEngine();
        engine.onChange(() => showTray());
        ports.offer('engine', connectEngine);
      }
      linkPorts(connectEngine, (port) => host.connect('engine', port));
      ports.offer('host', (port) => host.connect('window', port));
      watch = watchSessions(
        (port) => host.connect('window', port),
        () => showTray(),
      );
    },
    onGone() {
      ports.withdraw('host');
      watch = undefined;
      showTray();
    },
    onStatus(status) {
      log.info('agent host', { state: status.state });
      if (status.state === 'lost') {
        dialog.showErrorBox(
          engine ? texts.hostLost : texts.cannotStart,
          `${status.message}\n${status.advice}`,
        );
        if (!engine) app.quit();
      }
    },
    onActivity: () => showTray(),
  });

  const askEngine = (method: 'engine/lend' | 'engine/take-back'): void => {
    const asked = engine && engineCall((port) => engine?.connect(pipeFromPort(port)), method);
    asked?.catch((error: unknown) =>
      dialog.showErrorBox(texts.lendFailed, error instanceof Error ? error.message : String(error)),
    );
  };
  const tray = createTray(files.trayIcon, platform, {
    open: () => openWindow(),
    stop: () => {
      const host = supervisor.host();
      if (!host) return;
      stopAllTurns((port) => host.connect('window', port)).catch((error: unknown) =>
        log.error('the tray could not stop the turns', error),
      );
    },
    stopOne(sessionId) {
      watch?.stop(sessionId).catch((error: unknown) => log.error('the tray could not stop the turn', error));
    },
    lend: () => askEngine('engine/lend'),
    takeBack: () => askEngine('engine/take-back'),
    quit: () => app.quit(),
  });
  const showTray = (): void =>
    tray.show({
      engine: engine?.state() ?? null,
      runningTurns: supervisor.runningTurns(),
      busy: watch?.busy() ?? [],
    });

  const closing = createClosing({
    runningTurns: () => supervisor.runningTurns(),
    ask: askToClose,
    async shutdown() {
      for (const window of BrowserWindow.getAllWindows()) {
        keepState(window);
        window.hide();
      }
      windowsHidden = true;
      await supervisor.stop();
      try {
        await engine?.stop();
      } catch (error) {
        log.error('the engine did not stop well', error);
      }
      tray.remove();
    },
    quit: () => app.quit(),
  });

  const updates = startDesktopUpdates({
    dir: dirname(files.windowState),
    whatsNewFile: join(dirname(files.host), 'whats-new.json'),
    publicKey: updateKey,
    isEnabled: () => true,
    runningTurns: () => supervisor.runningTurns(),
    onNews(news) {
      for (const { webContents } of BrowserWindow.getAllWindows()) {
        webContents.send(channels.updateNews, news);
      }
    },
    clock,
    log,
    platform,
  });

  const openWindow = (): void => {
    const [open] = BrowserWindow.getAllWindows();
    if (open) {
      if (open.isMinimized()) open.restore();
      open.show();
      open.focus();
      return;
    }
    const state = readWindowState(files.windowState);
    const window = createWindow({ preload: files.preload, icon: files.icon, state, platform, development });
    window.on('close', (event) => {
      // What a hidden window says of itself is not how it was left.
      if (!windowsHidden) keepState(window);
      if (platform !== 'darwin') closing.lastWindowCloses(event);
    });
    followState(window, clock, () => {
      if (!windowsHidden) keepState(window);
    });
    reviveCrashedPage(window, {
      clock,
      log,
      giveUp() {
        dialog.showErrorBox(texts.pageLost.title, texts.pageLost.advice);
        window.close();
      },
    });
    loadPage(window).catch((error: unknown) => log.error('the page could not be loaded', error));
  };

  const keepState = (window: BrowserWindow): void => {
    try {
      writeWindowState(files.windowState, stateOf(window));
    } catch (error) {
      log.error('the window state could not be kept', error);
    }
  };

  answerPages({
    onPortsRequested(page) {
      // A page that opens or reloads is a reason to try a lost host again.
      supervisor.revive();
      ports.request(page);
      menu.pageReady(page);
      page.send(channels.updateNews, updates.news());
    },
    onFile: (asked) =>
      handOut(asked, {
        dataDir: init.dataDir,
        workspaceOf: (sessionId) => watch?.workspaceOf(sessionId) ?? null,
        platform,
      }),
    onMenuKeys: (keys) => menu.showKeys(keys),
    onUpdateAction: (action) => updates.act(action),
    onRefused: (channel, url) => log.warn('refused a message that is not from the page', { channel, url }),
  });
  powerMonitor.on('suspend', () => supervisor.host()?.post({ type: 'suspend' }));
  powerMonitor.on('resume', () => supervisor.host()?.post({ type: 'resume' }));
  app.on('second-instance', () => openWindow());
  app.on('activate', () => openWindow());
  app.on('before-quit', (event) => closing.beforeQuit(event));
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });

  showTray();
  supervisor.start();
  openWindow();
}

/** null = the system names none. */
function folderOf(name: 'downloads'): string | null {
  try {
    return app.getPath(name);
  } catch {
    return null;
  }
}

async function askToClose(): Promise<boolean> {
  const { message, detail, stopAndClose, keepOpen } = texts.closeWhileRunning;
  const { response } = await dialog.showMessageBox({
    type: 'question',
    message,
    detail,
    buttons: [stopAndClose, keepOpen],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
  });
  return response === 0;
}
