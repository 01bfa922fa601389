/** What the system does to the running app – sleep, shutdown, signals, Quit, the dock – handed to whoever acts on it. */
import { app, powerMonitor } from 'electron';
import type { Log } from '../platform/log.ts';
import type { Closing, Preventable } from './closing.ts';
import type { DesktopHost } from './desktop-host.ts';

export interface SystemEventsOptions {
  host: DesktopHost;
  closing: Closing;
  openWindow: () => void;
  /** Calls back when a signal asks the process to end. */
  onSignal: (listener: () => void) => void;
  log: Log;
  platform: NodeJS.Platform;
}

export function followSystem(options: SystemEventsOptions): void {
  const { host, closing, openWindow, onSignal, log, platform } = options;
  powerMonitor.on('suspend', () => host.postPower('suspend'));
  powerMonitor.on('resume', () => host.postPower('resume'));
  // macOS and Linux: holds the shutdown back until everything has ended (Electron's docs, api/power-monitor.md).
  powerMonitor.on('shutdown', (event?: Preventable) => closing.systemEnds(event));
  onSignal(() => closing.signalled());
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
}
