/** The session that every page of the app runs in: served from our scheme, guarded, able to save its own files. */
import { app, session } from 'electron';
import type { Log } from '../platform/log.ts';
import { guardDownloads } from './downloads.ts';
import { guardContents, guardSession } from './guards.ts';
import { servePage } from './page-scheme.ts';

/** Before the first window: a page that exists already would not be guarded. */
export function preparePageSession(rendererDir: string, log: Log): void {
  servePage(rendererDir);
  guardSession(session.defaultSession);
  guardDownloads(session.defaultSession, {
    downloadsDir,
    onRefused: (address) => log.warn('refused a download that is no file of the page', { address }),
  });
  app.on('web-contents-created', (_event, contents) => guardContents(contents));
}

/** null = the system names none. */
function downloadsDir(): string | null {
  try {
    return app.getPath('downloads');
  } catch {
    return null;
  }
}
