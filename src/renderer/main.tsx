/** Starts the window: on the desktop over ports, in a browser over WebSockets. */
import './styles/index.css';
import { createRoot } from 'react-dom/client';
import type { DesktopBridge } from '../protocol/desktop.ts';
import { App } from './app/app.tsx';
import { createApp } from './app/create-app.ts';
import { followLanguage } from './app/follow-language.ts';
import { createSignIn, tokenIn } from './connection/sign-in.ts';
import { createPortReceiver, webSocketConnect, type Connect } from './connection/transports.ts';

declare global {
  interface Window {
    /** Put there by the preload; absent in a browser. */
    readonly andiron?: DesktopBridge;
  }
}

interface Ways {
  connects: { host: Connect; engine: Connect };
  /** null = nobody signs in here. */
  signOut: (() => Promise<void>) | null;
}

function webWays(page: Window): Ways {
  const { location, history } = page;
  const signIn = createSignIn({
    location,
    history,
    fetch: page.fetch.bind(page),
    storage: sessionStorageOf(page),
    tabs: new BroadcastChannel('andiron-sign-in'),
    pause: (ms) => new Promise((resolve) => page.setTimeout(resolve, ms)),
  });
  // A new address that is pasted over this one changes the fragment alone, and loads nothing.
  page.addEventListener('hashchange', () => {
    if (tokenIn(location.hash) !== null) location.reload();
  });
  const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
  const to = (path: string): Connect => webSocketConnect(`${scheme}://${location.host}${path}`, signIn);
  return {
    connects: { host: to('/host'), engine: to('/engine') },
    signOut: () => signIn.signOutEverywhere(),
  };
}

/** null = the person's browser keeps nothing for pages. */
function sessionStorageOf(page: Window): Storage | null {
  try {
    return page.sessionStorage;
  } catch {
    return null;
  }
}

const desktop = window.andiron ?? null;
const { connects, signOut }: Ways = desktop
  ? { connects: createPortReceiver(window), signOut: null }
  : webWays(window);
const app = createApp({
  page: window,
  connectHost: connects.host,
  connectEngine: connects.engine,
  desktop,
  signOut,
});

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root.');
const reactRoot = createRoot(root);
// Who reads German sees no English first: its texts are a file that is fetched before anything is drawn.
void followLanguage(window, app.services.stores.ui, desktop).then(() =>
  reactRoot.render(<App app={app} onReload={() => window.location.reload()} />),
);
