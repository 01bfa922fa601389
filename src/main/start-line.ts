/** From a second start of Andiron to the page, which may not listen yet. */
import { BrowserWindow, type WebContents } from 'electron';
import { channels, type StartRequest } from '../protocol/desktop.ts';

export function createStartLine() {
  const listening = new WeakSet<WebContents>();
  /** Only the newest: each is a wish for what is in front. */
  let waiting: StartRequest | null = null;

  return {
    send(request: StartRequest): void {
      const page = BrowserWindow.getAllWindows()[0]?.webContents;
      if (page && listening.has(page)) page.send(channels.start, request);
      else waiting = request;
    },
    /** The page listens: what came while there was none is told now. */
    pageReady(page: WebContents): void {
      if (!listening.has(page)) {
        listening.add(page);
        page.once('render-process-gone', () => listening.delete(page));
      }
      if (waiting === null) return;
      page.send(channels.start, waiting);
      waiting = null;
    },
  };
}
