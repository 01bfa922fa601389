/** Starts the window: on the desktop over ports, in a browser over WebSockets. */
import { createRoot } from 'react-dom/client';
import type { DesktopBridge } from '../protocol/desktop.ts';
import { App } from './app/app.tsx';
import { createApp } from './app/create-app.ts';
import { exchangeToken, isSignedOut } from './connection/session-token.ts';
import { createPortReceiver, Refused, webSocketConnect, type Connect } from './connection/transports.ts';
import './styles/index.css';

declare global {
  interface Window {
    /** Put there by the preload; absent in a browser. */
    readonly andiron?: DesktopBridge;
  }
}

/** The first connection waits for the cookie, which the token in the address is exchanged for. */
function webConnects(page: Window): { host: Connect; engine: Connect } {
  const { location, history } = page;
  const fetch = page.fetch.bind(page);
  const signedIn = exchangeToken({ location, history, fetch });
  const after =
    (path: string): Connect =>
    async (signal) => {
      await signedIn.catch(() => false);
      const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
      try {
        return await webSocketConnect(`${scheme}://${location.host}${path}`)(signal);
      } catch (error) {
        throw (await isSignedOut({ fetch })) ? new Refused() : error;
      }
    };
  return { host: after('/host'), engine: after('/engine') };
}

const desktop = window.andiron ?? null;
const connects = desktop ? createPortReceiver(window) : webConnects(window);
const app = createApp({ page: window, connectHost: connects.host, connectEngine: connects.engine, desktop });

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
createRoot(root).render(<App app={app} onReload={() => window.location.reload()} />);
