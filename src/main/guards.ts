/** What the page may never do, whatever runs in it. */
import { shell, type Session, type WebContents } from 'electron';
import { isPage } from './page-scheme.ts';

/** The one way out for links: http and https, to the person's own browser. False = refused. */
export async function openExternally(address: string): Promise<boolean> {
  const url = URL.parse(address);
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) return false;
  await shell.openExternal(url.href);
  return true;
}

/** Copying a piece of the transcript, and notifications of a session in the background. */
const granted = new Set(['clipboard-sanitized-write', 'notifications']);

const isGranted = (permission: string, from: string): boolean => granted.has(permission) && isPage(from);

/** Addresses that the page may load from. A packaged app has no inspector. */
const loadable = new Set(['app:', 'data:', 'blob:', 'devtools:']);

export function guardSession(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, decide) =>
    decide(isGranted(permission, contents.getURL())),
  );
  session.setPermissionCheckHandler((_contents, permission, origin) => isGranted(permission, origin));
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, decide) => {
    decide({ cancel: !loadable.has(URL.parse(details.url)?.protocol ?? '') });
  });
}

/** Every page of the app, however it came to be: it stays where it is and opens nothing. */
export function guardContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-frame-navigate', (event) => {
    // The page may reload itself.
    if (!event.isMainFrame || !isPage(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
