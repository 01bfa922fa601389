/**
 * Files that the page saves: it clicks a link on a blob of its own, which begins a download here. Electron asks the
 * person where to, as no path is set (Electron: api/session.md, will-download); the page learns what came of it.
 */
import { join } from 'node:path';
import type { DownloadItem, Session, WebContents } from 'electron';
import { channels, type DownloadEnd, type DownloadOutcome } from '../protocol/desktop.ts';
import { isPage, pageUrl } from './page-scheme.ts';
import { safeSaveName } from './save-name.ts';

export interface DownloadDeps {
  /** Where the save dialog begins; null = where the system begins. */
  downloadsDir: () => string | null;
  /** An address that is not a blob of the page, which was refused. */
  onRefused: (address: string) => void;
}

export function guardDownloads(session: Session, { downloadsDir, onRefused }: DownloadDeps): void {
  session.on('will-download', (event, item, page) => {
    const url = item.getURL();
    if (!url.startsWith(`blob:${pageUrl}`) || !isPage(page.getURL())) {
      event.preventDefault();
      onRefused(url);
      return;
    }
    const folder = downloadsDir();
    const name = safeSaveName(item.getFilename());
    // Electron takes them only here, while the event is being told.
    item.setSaveDialogOptions({ defaultPath: folder === null ? name : join(folder, name) });
    watchDownload(item, (outcome) => report(page, { url, outcome }));
  });
}

/** Calls back once. */
function watchDownload(item: DownloadItem, notify: (outcome: DownloadOutcome) => void): void {
  let over = false;
  const end = (outcome: DownloadOutcome): void => {
    if (over) return;
    over = true;
    notify(outcome);
  };
  item.once('done', (_event, state) => end(state));
  // A full disk, say: Electron would wait for somebody to resume it, and `done` would never come.
  item.on('updated', (_event, state) => {
    if (state !== 'interrupted') return;
    end('interrupted');
    // Not while Electron is still telling of it.
    setImmediate(() => {
      try {
        item.cancel();
      } catch {
        // Gone with the app, which is what was wanted.
      }
    });
  });
}

function report(page: WebContents, ended: DownloadEnd): void {
  if (!page.isDestroyed()) page.send(channels.downloadDone, ended);
}
