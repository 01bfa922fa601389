/** The page's own scheme: a real origin for its files, with the same policy as the headless server. */
import { readFile } from 'node:fs/promises';
import { protocol } from 'electron';
import { pageFile, securityHeaders } from '../platform/page-files.ts';

export const pageUrl = 'app://andiron/';

/** Before the app is ready. */
export function registerPageScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true } },
  ]);
}

/** After the app is ready. */
export function servePage(rendererDir: string): void {
  protocol.handle('app', ({ url, method }) => answer(rendererDir, url, method));
}

async function answer(rendererDir: string, address: string, method: string): Promise<Response> {
  const url = new URL(address);
  const file = url.host === 'andiron' && method === 'GET' ? pageFile(rendererDir, url.pathname) : null;
  if (!file) return refusal();
  try {
    return new Response(new Uint8Array(await readFile(file.path)), {
      headers: { ...securityHeaders(), 'Content-Type': file.contentType },
    });
  } catch {
    // Not a file of the page.
    return refusal();
  }
}

const refusal = (): Response =>
  new Response('There is no such file.', { status: 404, headers: securityHeaders() });

/** Is this address the page itself, whatever its fragment? */
export function isPage(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && url.protocol === 'app:' && url.host === 'andiron';
}
