/** The update server through Electron's network, which knows the system's proxy and certificates. */
import type { ClientRequest, ClientRequestConstructorOptions } from 'electron';
import { UpdateFailure } from './failure.ts';
import type { OpenWeb, WebReply } from './fetch-update.ts';

const maxRedirects = 5;

/** @param request `net.request`, which can be used once the app is ready */
export function openByNet(request: (options: ClientRequestConstructorOptions) => ClientRequest): OpenWeb {
  return (url, { signal, mayFollow }) =>
    new Promise<WebReply>((resolve, reject) => {
      const asked = request({ url: url.href, redirect: 'manual', credentials: 'omit', cache: 'no-store' });
      const abort = (): void => {
        asked.abort();
        reject(signal.reason as Error);
      };
      if (signal.aborted) {
        abort();
        return;
      }
      signal.addEventListener('abort', abort, { once: true });
      let hops = 0;
      // Electron's docs, api/client-request.md: it is followed now, synchronously, or the request is cancelled.
      asked.on('redirect', (_status, _method, to) => {
        hops += 1;
        const target = URL.parse(to, url.href);
        if (hops <= maxRedirects && target && mayFollow(target)) {
          asked.followRedirect();
          return;
        }
        asked.abort();
        reject(new UpdateFailure('redirected'));
      });
      // A proxy that asks for a name: nobody is there to answer.
      asked.on('login', (_proxy, answer) => answer());
      asked.on('error', reject);
      asked.on('response', (response) => {
        // api/incoming-message.md: it implements the Readable Stream interface; its types do not say so.
        const body = response as unknown as AsyncIterable<Uint8Array>;
        resolve({ status: response.statusCode, body });
      });
      asked.end();
    });
}
