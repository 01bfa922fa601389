import { dialog } from 'electron';
import { texts } from './texts.ts';

/**
 * Says what failed while the app goes on. The error box would stop main until it is clicked, and with it the engine, the
 * pings and every port (Electron's docs/api/dialog.md, showErrorBox: synchronous); it is for the end of the app alone.
 * Resolves when the box is closed; never rejects.
 */
export async function showFailure(message: string, detail: string): Promise<void> {
  await dialog
    .showMessageBox({ type: 'error', message, detail, buttons: [texts.close], noLink: true })
    .catch(() => null);
}
