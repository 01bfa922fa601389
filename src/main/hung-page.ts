/** A page that hangs draws no buttons any more, so nobody could close its window: the person may load it again. */
import { dialog, type BrowserWindow } from 'electron';
import type { Log } from '../platform/log.ts';
import { texts } from './texts.ts';

export function answerHungPage(window: BrowserWindow, log: Log): void {
  let asking: AbortController | undefined;

  const ask = async (): Promise<void> => {
    if (asking) return;
    asking = new AbortController();
    log.warn('the page does not answer');
    const { message, detail, wait, reload } = texts.pageHangs;
    const { response } = await dialog.showMessageBox(window, {
      type: 'warning',
      message,
      detail,
      buttons: [wait, reload],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
      signal: asking.signal,
    });
    asking = undefined;
    // A page that hangs does not even leave for another: its process is ended, and then it is loaded again.
    if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
  };

  window.on('unresponsive', () => {
    ask().catch((error: unknown) => log.error('could not ask what to do about a page that hangs', error));
  });
  // It came back before somebody answered: the question is gone too.
  window.on('responsive', () => asking?.abort());
}
