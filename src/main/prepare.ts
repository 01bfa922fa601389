/** What Electron wants before the app is ready, in the order that it wants it. */
import { app } from 'electron';
import { HostStartError } from '../platform/host-channel.ts';
import type { DesktopSettings } from '../protocol/desktop.ts';
import { clearEndingMark, isMarkedEnding, markEnding } from './ending-mark.ts';
import { registerPageScheme } from './page-scheme.ts';
import type { SecondStart } from './second-start.ts';
import { queueSecondStarts, type StartQueue } from './start-queue.ts';
import { texts } from './texts.ts';

/** Longer than another one takes to end at most. */
const waitMs = 40_000;
const lookEveryMs = 200;

export interface Preparation {
  /** Electron's own folder, inside the data folder. */
  userData: string;
  /** What the first Andiron of this data folder is told, if this is a second one. */
  handOver: SecondStart;
  settings: DesktopSettings;
  /** It could show no window: whoever starts one waits until it has ended. */
  isDisplayless: boolean;
  platform: NodeJS.Platform;
  /** Stops everything for a moment. */
  pause?: (ms: number) => void;
}

/**
 * Returns the second starts from here on; null = another Andiron has this data folder, and was told. One that ends is waited
 * for. Throws HostStartError when that takes too long.
 */
export function prepareApp({
  userData,
  handOver,
  settings,
  isDisplayless,
  platform,
  pause = pauseNow,
}: Preparation): StartQueue | null {
  // Before the lock: Electron's own is one per userData, so it is one per data folder.
  app.setPath('userData', userData);
  if (!takeLock(userData, handOver, pause)) return null;
  if (isDisplayless) markEnding(userData);
  const secondStarts = queueSecondStarts();
  // The same as the shortcut's that an installer makes: else taskbar pin and running window are two.
  if (platform === 'win32') app.setAppUserModelId('io.github.andiron');
  // Takes `--no-sandbox` away, which an AppImage or a person may need (Electron: api/app.md, enableSandbox); the
  // window asks for its sandbox itself.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  if (!settings.hardwareAcceleration) app.disableHardwareAcceleration();
  registerPageScheme();
  return secondStarts;
}

/** Nothing else is done meanwhile: all that must come before `ready` comes after the lock. */
function takeLock(userData: string, handOver: SecondStart, pause: (ms: number) => void): boolean {
  for (let waited = 0; !app.requestSingleInstanceLock({ ...handOver }); waited += lookEveryMs) {
    // Nobody waits for a window: whoever holds the lock serves the command, or the command tries again.
    if (handOver.background || !isMarkedEnding(userData)) return false;
    if (waited >= waitMs) throw new HostStartError(texts.stillEnding.message, texts.stillEnding.advice);
    pause(lookEveryMs);
  }
  try {
    clearEndingMark(userData);
  } catch {
    // A folder that cannot be written is told by what needs it.
  }
  return true;
}

const pauseNow = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
