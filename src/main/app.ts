/** The desktop app: one agent host, one engine, windows, started and stopped together. */
import { dirname, join } from 'node:path';
import { app, BrowserWindow, dialog, safeStorage } from 'electron';
import type { Clock } from '../platform/clock.ts';
import type { HostInit } from '../platform/host-channel.ts';
import type { Log } from '../platform/log.ts';
import { channels, type StartRequest } from '../protocol/desktop.ts';
import type { UpdateNews } from '../protocol/updates.ts';
import { createClosing } from './closing.ts';
import { DesktopHost } from './desktop-host.ts';
import type { DesktopSettingsFile } from './desktop-settings.ts';
import { askToClose, stopInOrder } from './quit-steps.ts';
import { answerPages, type IpcOptions } from './ipc.ts';
import { createAwakeKeeper, type AwakeKeeper } from './keep-awake.ts';
import { MainEngine, type DesktopEngine } from './main-engine.ts';
import { createMainWindow } from './main-window.ts';
import { createMenuLine } from './menu-line.ts';
import { openOwnFile } from './own-files.ts';
import { preparePageSession } from './page-session.ts';
import { createPortBroker } from './ports.ts';
import { createPresence, type StartKind } from './presence.ts';
import { isBackgroundStart, startRequestOf } from './second-start.ts';
import { createStartLine } from './start-line.ts';
import type { StartQueue } from './start-queue.ts';
import { openSystemKeychain } from './system-keychain.ts';
import { followSystem } from './system-events.ts';
import { openTray } from './tray-actions.ts';
import { speakIn, texts } from './texts.ts';
import { languageFor } from '../text/languages.ts';
import { startDesktopUpdates } from './updates/desktop-updates.ts';
import { startAfterEnd } from './updates/start-after-end.ts';

export interface DesktopDeps {
  init: HostInit;
  /** Absolute paths of what was built or bundled. */
  files: {
    host: string;
    bridge: string;
    gateway: string;
    preload: string;
    rendererDir: string;
    icon: string;
    trayIcon: string;
    windowState: string;
  };
  /** Called once the host holds the data folder: two engines must never write to one. */
  createEngine: () => DesktopEngine;
  kind: StartKind;
  settings: DesktopSettingsFile;
  secondStarts: StartQueue;
  /** Calls back when a signal asks the process to end. */
  onSignal: (listener: () => void) => void;
  /** Of the feeds of updates; empty = there is none. */
  updateKey: string;
  /** null = `andiron` is in a terminal's reach already. */
  installCommand: (() => void) | null;
  /** On the simulated engine. */
  demo: boolean;
  clock: Clock;
  log: Log;
  platform: NodeJS.Platform;
}

/** After the app is ready, in the one instance that may run. */
export function startDesktop(deps: DesktopDeps): void {
  const { init, files, settings, demo, clock, log, platform } = deps;
  /** `desktop` in the data folder, which is also where Electron keeps its lock. */
  const desktopDir = dirname(files.windowState);
  const development = !app.isPackaged;

  // Until a page says which one the person has chosen.
  speakIn(languageFor(app.getPreferredSystemLanguages()));
  preparePageSession(files.rendererDir, log);
  const ports = createPortBroker();
  const startLine = createStartLine();
  const engine = new MainEngine(deps.createEngine);
  const keychain = openSystemKeychain(safeStorage, platform);
  const host = new DesktopHost({
    entry: files.host,
    bridgeEntries: files,
    init,
    keychain,
    engine,
    ports,
    clock,
    log,
    onPrograms: (count) => presence.programs(count),
    onCannotStart: (words) => (presence.isSeen() ? cannotStart(words) : endUnseen(words, log)),
  });
  const runningTurns = (): number => host.runningTurns();

  const awake = createAwakeKeeper({ choice: () => settings.current().keepAwake, runningTurns, clock });
  host.onTurns(() => awake.update());

  // What it asks, hides and stops is made below: none of this is called before all of it is there.
  const closing = createClosing({
    runningTurns,
    ask: (signal) => (presence.isSeen() ? askToClose(mainWindow, signal) : Promise.resolve(true)),
    onKeptOpen: () => updates.keptOpen(),
    shutdown: () =>
      stopInOrder({ host, engine, mainWindow, tray: presence.tray, lockDir: desktopDir }, (error) =>
        log.error('a part of the app did not end well', error),
      ),
    quit: () => app.quit(),
    onFailure: (error) => log.error('the app did not end well', error),
    clock,
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
    onSessionEnd: () => closing.systemEnds(),
  });
  /** What is opened while everything ends would be seen for a moment, and end with it. */
  const openWindow = (): void => {
    if (!closing.isEnding()) presence.show();
  };
  const menu = createMenuLine({ platform, development, openWindow, installCommand: deps.installCommand });
  const presence = createPresence(deps.kind, {
    clock,
    openWindow: () => mainWindow.open(),
    openTray: () => openTray({ icon: files.trayIcon, platform, host, engine, openWindow, log }),
    onSeen: () => becomesApp(host),
    end: () => closing.endUnasked(),
  });
  const updates = followUpdates(deps, {
    dir: desktopDir,
    runningTurns,
    systemEnds: () => closing.isSystemEnding(),
  });

  answerPages({
    onPortsRequested(page) {
      // A page that opens or reloads is a reason to try a lost host again.
      host.revive();
      ports.request(page);
      menu.pageReady(page);
      page.send(channels.updateNews, updates.news());
      startLine.pageReady(page);
      mainWindow.pageReady(page);
    },
    onFile: (asked) =>
      openOwnFile(asked, {
        dataDir: init.dataDir,
        workspaceOf: (sessionId) => host.workspaceOf(sessionId),
        platform,
      }),
    onMenuKeys: (keys) => menu.showKeys(keys),
    onUpdateAction: (action) => updates.act(action),
    onTheme: (theme) => mainWindow.setTheme(theme),
    onLanguage(language) {
      speakIn(language);
      menu.show();
      presence.tray()?.showAgain();
    },
    settings: pageSettings(settings, awake, log),
    onRefused: (channel, url) => log.warn('refused a message that is not from the page', { channel, url }),
  });
  followSystem({ host, closing, openWindow, onSignal: deps.onSignal, log, platform });

  host.start();
  if (presence.isSeen()) presence.show();
  else app.dock?.hide();
  deps.secondStarts.answer((handedOver) => {
    // One that waits for the lock asks again and again.
    if (!closing.isEnding()) answerStart(handedOver, { presence, startLine, demo });
  });
}

function answerStart(
  handedOver: unknown,
  parts: {
    presence: { show: () => void };
    startLine: { send: (request: StartRequest) => void };
    demo: boolean;
  },
): void {
  if (isBackgroundStart(handedOver)) return;
  parts.presence.show();
  const request = startRequestOf(handedOver, parts.demo);
  if (request) parts.startLine.send(request);
}

/** It was started for a command, and a person has opened it. */
function becomesApp(host: DesktopHost): void {
  host.stays();
  void app.dock?.show();
}

function cannotStart(words: string): void {
  dialog.showErrorBox(texts.cannotStart, words);
  app.quit();
}

/** A command waits for it, and says where to look. */
function endUnseen(words: string, log: Log): void {
  log.error(texts.cannotStart, words);
  app.exit(1);
}

function followUpdates(
  { files, settings, updateKey, clock, log, platform }: DesktopDeps,
  parts: Pick<Parameters<typeof startDesktopUpdates>[0], 'dir' | 'runningTurns' | 'systemEnds'>,
): ReturnType<typeof startDesktopUpdates> {
  return startDesktopUpdates({
    ...parts,
    whatsNewFile: join(dirname(files.host), 'whats-new.json'),
    publicKey: updateKey,
    // Whoever restarts it wants its window.
    args: process.argv.slice(1).filter((arg) => arg !== '--no-page'),
    isEnabled: () => settings.current().checkUpdates,
    startAfterEnd,
    onNews: sendUpdateNews,
    clock,
    log,
    platform,
  });
}

function sendUpdateNews(news: UpdateNews): void {
  for (const { webContents } of BrowserWindow.getAllWindows()) webContents.send(channels.updateNews, news);
}

/** As the page reads and changes them; whether the machine stays awake follows at once. */
function pageSettings(settings: DesktopSettingsFile, awake: AwakeKeeper, log: Log): IpcOptions['settings'] {
  return {
    current: () => settings.current(),
    change(change) {
      try {
        return settings.change(change);
      } catch (error) {
        log.error('the settings of the desktop could not be kept', error);
        return null;
      } finally {
        awake.update();
      }
    },
  };
}
