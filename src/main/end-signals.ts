/** The signals that ask a process to end. */

interface SignalSource {
  readonly platform: NodeJS.Platform;
  on(signal: NodeJS.Signals, listener: () => void): unknown;
}

/**
 * Ctrl-C, a polite kill, a terminal or a session that is gone. Electron itself quits on the first one of each and dies of
 * the second (Electron's shell/browser/electron_browser_main_parts_posix.cc, GracefulShutdownHandler). It takes them while
 * it becomes ready, and the last to take them has them: call this after that. Windows has none.
 */
export function onEndSignal(process: SignalSource, listener: () => void): void {
  if (process.platform === 'win32') return;
  for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => listener());
}
