/** How this app ends: the question while a turn runs, and what is stopped, in order. */
import { BrowserWindow } from 'electron';
import type { DesktopHost } from './desktop-host.ts';
import { runEach } from './closing.ts';
import { markEnding } from './ending-mark.ts';
import type { MainEngine } from './main-engine.ts';
import type { MainWindow } from './main-window.ts';
import { askPerson } from './show-failure.ts';
import { texts } from './texts.ts';
import type { AppTray } from './tray.ts';

/** True = stop the turns and close. Rejects when it cannot be asked. */
export async function askToClose(mainWindow: MainWindow, signal: AbortSignal): Promise<boolean> {
  // A question that belongs to a window in the background is seen by nobody.
  if (BrowserWindow.getAllWindows().length > 0) mainWindow.open();
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

export interface EndingParts {
  host: DesktopHost;
  engine: MainEngine;
  mainWindow: MainWindow;
  tray: () => AppTray | undefined;
  /** Of the single-instance lock: a start that finds it held waits there until this one has ended. */
  lockDir: string;
}

/** Never rejects: what fails is reported, and the rest is stopped all the same. */
export function stopInOrder(parts: EndingParts, onFailure: (error: unknown) => void): Promise<void> {
  const { host, engine, mainWindow, tray, lockDir } = parts;
  let stopped: Promise<void> | undefined;
  const steps = [
    // First: where the system ends there may be time for nothing else.
    () => void (stopped = host.stop()),
    () => markEnding(lockDir),
    () => mainWindow.hide(),
    () => stopped,
    () => engine.stop(),
    () => tray()?.remove(),
  ];
  return runEach(steps, onFailure);
}
