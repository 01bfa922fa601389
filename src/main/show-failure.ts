import { BrowserWindow, dialog, type MessageBoxOptions } from 'electron';
import { texts } from './texts.ts';

/**
 * The number of the button. On a Mac a box without a window stops main until it is clicked, and no signal closes it
 * (Electron's docs, api/dialog.md, showMessageBox): where a window is in sight, the box belongs to it.
 */
export async function askPerson(options: MessageBoxOptions): Promise<number> {
  const window = BrowserWindow.getAllWindows().find((each) => each.isVisible() && !each.isMinimized());
  const asked = window ? dialog.showMessageBox(window, options) : dialog.showMessageBox(options);
  return (await asked).response;
}

/**
 * Says what failed while the app goes on. The error box would stop main until it is clicked, and with it the engine, the
 * pings and every port (Electron: api/dialog.md, showErrorBox: synchronous); it is for the end of the app alone.
 * Resolves when the box is closed; never rejects.
 */
export async function showFailure(message: string, detail: string): Promise<void> {
  await askPerson({ type: 'error', message, detail, buttons: [texts.close], noLink: true }).catch(() => null);
}
