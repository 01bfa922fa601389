/** What Electron wants before the app is ready, in the order that it wants it. */
import { app } from 'electron';
import type { DesktopSettings } from '../protocol/desktop.ts';
import { registerPageScheme } from './page-scheme.ts';
import type { SecondStart } from './second-start.ts';

export interface Preparation {
  /** Electron's own folder, inside the data folder. */
  userData: string;
  /** What the first Andiron of this data folder is told, if this is a second one. */
  handOver: SecondStart;
  settings: DesktopSettings;
  platform: NodeJS.Platform;
}

/** False = another Andiron has this data folder, and was told. */
export function prepareApp({ userData, handOver, settings, platform }: Preparation): boolean {
  // Before the lock: Electron's own is one per userData, so it is one per data folder.
  app.setPath('userData', userData);
  if (!app.requestSingleInstanceLock({ ...handOver })) return false;
  // The same as the shortcut's that an installer makes: else taskbar pin and running window are two.
  if (platform === 'win32') app.setAppUserModelId('io.github.andiron');
  // Takes `--no-sandbox` away, which an AppImage or a person may need (Electron's docs/api/app.md, enableSandbox); the
  // window asks for its sandbox itself.
  if (!app.commandLine.hasSwitch('no-sandbox')) app.enableSandbox();
  if (!settings.hardwareAcceleration) app.disableHardwareAcceleration();
  registerPageScheme();
  return true;
}
