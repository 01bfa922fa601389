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
import { createClosing, runEach, type Preventable } from './closing.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';
import { guardDownloads } from './downloads.ts';
import { markEnding } from './ending-mark.ts';
import { engineCall } from './engine-call.ts';
import { guardContents, guardSession } from './guards.ts';
import { answerPages, type IpcOptions } from './ipc.ts';
import { createAwakeKeeper } from './keep-awake.ts';
import { createMainWindow } from './main-window.ts';
import { createMenuLine } from './menu-line.ts';
import { servePage } from './page-scheme.ts';
import { handOut } from './own-files.ts';
import { createPortBroker, linkPorts } from './ports.ts';
import { watchSessions, type SessionWatch } from './session-watch.ts';
import { startRequestOf } from './second-start.ts';
import { askPerson, showFailure } from './show-failure.ts';
import { createStartLine } from './start-line.ts';
import type { StartQueue } from './start-queue.ts';
import { stopAllTurns } from './stop-turns.ts';
import { texts } from './texts.ts';
import { createTray } from './tray.ts';
import { startDesktopUpdates } from './updates/desktop-updates.ts';
import { startAfterEnd } from './updates/start-after-end.ts';
import { forkUtilityHost } from './utility.ts';

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
  settings: DesktopSettingsFile;
  secondStarts: StartQueue;
  /** Calls back when a signal asks the process to end. */
  onSignal: (listener: () => void) => void;
  /** Of the feeds of updates; empty = there is none. */
  updateKey: string;
  /** On the simulated engine. */
  demo: boolean;
  clock: Clock;
  log: Log;
  platform: NodeJS.Platform;
}

/** After the app is ready, in the one instance that may run. */
export function startDesktop(deps: DesktopDeps): void {
  const { init, files, createEngine, settings, updateKey, demo, clock, log, platform } = deps;
  let engine: DesktopEngine | undefined;
  let watch: SessionWatch | undefined;
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
  const startLine = createStartLine();

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
      if (status.state !== 'lost') return;
      const words = `${status.message}\n${status.advice}`;
      if (engine) void showFailure(texts.hostLost, words);
      else {
        dialog.showErrorBox(texts.cannotStart, words);
        app.quit();
      }
    },
    onActivity() {
      showTray();
      awake.update();
    },
  });

  const askEngine = (method: 'engine/lend' | 'engine/take-back'): void => {
    const asked = engine && engineCall((port) => engine?.connect(pipeFromPort(port)), method);
    asked?.catch((error: unknown) =>
      showFailure(texts.lendFailed, error instanceof Error ? error.message : String(error)),
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

  let systemEnds = false;
  const endWithSystem = (event?: Preventable): void => {
    systemEnds = true;
    closing.systemEnds(event);
  };
  const closing = createClosing({
    runningTurns: () => supervisor.runningTurns(),
    ask(signal) {
      // A question that belongs to a window in the background is seen by nobody.
      if (BrowserWindow.getAllWindows().length > 0) mainWindow.open();
      return askToClose(signal);
    },
    onKeptOpen: () => updates.keptOpen(),
    shutdown() {
      let stopped: Promise<void> | undefined;
      const steps = [
        // First: where the system ends there may be time for nothing else.
        () => void (stopped = supervisor.stop()),
        () => markEnding(dirname(files.windowState)),
        () => mainWindow.hide(),
        () => stopped,
        () => engine?.stop(),
        () => tray.remove(),
      ];
      return runEach(steps, (error) => log.error('a part of the app did not end well', error));
    },
    quit: () => app.quit(),
    onFailure: (error) => log.error('the app did not end well', error),
    clock,
  });
  /** What is opened while everything ends would be seen for a moment, and end with it. */
  const openWindow = (): void => {
    if (!closing.isEnding()) mainWindow.open();
  };

  const updates = startDesktopUpdates({
    dir: dirname(files.windowState),
    whatsNewFile: join(dirname(files.host), 'whats-new.json'),
    publicKey: updateKey,
    args: process.argv.slice(1),
    isEnabled: () => settings.current().checkUpdates,
    runningTurns: () => supervisor.runningTurns(),
    systemEnds: () => systemEnds,
    startAfterEnd,
    onNews(news) {
      for (const { webContents } of BrowserWindow.getAllWindows()) {
        webContents.send(channels.updateNews, news);
      }
    },
    clock,
    log,
    platform,
  });

  const mainWindow = createMainWindow({
    files,
    clock,
    log,
    platform,
    development,
    onClose(event) {
      if (platform !== 'darwin') closing.lastWindowCloses(event);
    },
    onSessionEnd: () => endWithSystem(),
  });

  const awake = createAwakeKeeper({
    choice: () => settings.current().keepAwake,
    runningTurns: () => supervisor.runningTurns(),
    clock,
  });
  const changeSettings: IpcOptions['settings']['change'] = (change) => {
    try {
      return settings.change(change);
    } catch (error) {
      log.error('the settings of the desktop could not be kept', error);
      return null;
    } finally {
      awake.update();
    }
  };

  answerPages({
    onPortsRequested(page) {
      // A page that opens or reloads is a reason to try a lost host again.
      supervisor.revive();
      ports.request(page);
      menu.pageReady(page);
      page.send(channels.updateNews, updates.news());
      startLine.pageReady(page);
      mainWindow.pageReady(page);
    },
    onFile: (asked) =>
      handOut(asked, {
        dataDir: init.dataDir,
        workspaceOf: (sessionId) => watch?.workspaceOf(sessionId) ?? null,
        platform,
      }),
    onMenuKeys: (keys) => menu.showKeys(keys),
    onUpdateAction: (action) => updates.act(action),
    onTheme: (theme) => mainWindow.setTheme(theme),
    settings: { current: () => settings.current(), change: changeSettings },
    onRefused: (channel, url) => log.warn('refused a message that is not from the page', { channel, url }),
  });
  powerMonitor.on('suspend', () => supervisor.host()?.post({ type: 'suspend' }));
  powerMonitor.on('resume', () => supervisor.host()?.post({ type: 'resume' }));
  // macOS and Linux: holds the shutdown back until everything has ended (Electron's docs/api/power-monitor.md).
  powerMonitor.on('shutdown', (event?: Preventable) => endWithSystem(event));
  deps.onSignal(() => closing.signalled());
  app.on('activate', openWindow);
  app.on('before-quit', (event) => closing.beforeQuit(event));
  // Nothing may depend on the tray alone: a Linux desktop without one shows none and says nothing, so the last window ends
  // the app there.
  app.on('window-all-closed', () => {
    if (platform !== 'darwin') app.quit();
  });
  app.on('child-process-gone', (_event, details) => {
    const { type, reason, exitCode, serviceName, name } = details;
    if (reason !== 'clean-exit') log.warn('a process ended', { type, reason, exitCode, serviceName, name });
  });

  showTray();
  supervisor.start();
  mainWindow.open();
  deps.secondStarts.answer((handedOver) => {
    // It waits for the lock, and asks again and again.
    if (closing.isEnding()) return;
    mainWindow.open();
    const request = startRequestOf(handedOver, demo);
    if (request) startLine.send(request);
  });
}

/** null = the system names none. */
function folderOf(name: 'downloads'): string | null {
  try {
    return app.getPath(name);
  } catch {
    return null;
  }
}

async function askToClose(signal: AbortSignal): Promise<boolean> {
  const { message, detail, stopAndClose, keepOpen } = texts.closeWhileRunning;
  const response = await askPerson({
    type: 'question',
    message,
    detail,
    buttons: [stopAndClose, keepOpen],
    defaultId: 1,
    cancelId: 1,
    noLink: true,
    signal,
  });
  return response === 0;
}
