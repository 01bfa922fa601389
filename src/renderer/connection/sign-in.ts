/**
 * How a page in a browser is let in. The address carries a one-time token in its fragment, which reaches no server log;
 * it is exchanged for a secret, which this tab keeps and says first on every socket. Nothing of it is a cookie: those go
 * to every port of 127.0.0.1.
 */

/** What is used of the page. */
export interface SignInPage {
  location: { hash: string; pathname: string; search: string };
  history: { replaceState(data: unknown, unused: string, url: string): void };
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Of this tab and this origin, its port included; null = the browser keeps nothing. */
  storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> | null;
  /** To the other tabs of this origin, its port included. */
  tabs: Pick<BroadcastChannel, 'postMessage' | 'addEventListener'>;
  /** Resolves after so many milliseconds. */
  pause: (ms: number) => Promise<void>;
}

export interface SignIn {
  /** What opens a socket; asks the other tabs where this one has none. null = nobody is signed in here. */
  secret(): Promise<string | null>;
  /** The server does not take this secret any more. */
  forget(secret: string): void;
  /** Ends every session, that of this tab too. Rejects when the server cannot be reached. */
  signOutEverywhere(): Promise<void>;
}

const storageKey = 'andiron.secret';
/** Tabs of one browser answer at once. */
const tabsAnswerMs = 300;

type TabMessage = { type: 'ask' } | { type: 'tell'; secret: string };

/** A token in the address is exchanged at once, and dropped from it. */
export function createSignIn(page: SignInPage): SignIn {
  const { storage, tabs } = page;
  let known: string | null = storage?.getItem(storageKey) ?? null;
  const asking = new Set<() => void>();

  const keep = (secret: string): void => {
    known = secret;
    storage?.setItem(storageKey, secret);
    for (const answered of asking) answered();
  };
  const say = (message: TabMessage): void => tabs.postMessage(message);

  tabs.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => {
    if (data.type === 'ask' && known !== null) say({ type: 'tell', secret: known });
    else if (data.type === 'tell' && known === null) keep(data.secret);
  });

  const askTabs = async (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    asking.add(resolve);
    say({ type: 'ask' });
    await Promise.race([promise, page.pause(tabsAnswerMs)]);
    asking.delete(resolve);
  };

  const exchange = async (): Promise<void> => {
    // Whether anybody is there at all shows when the sockets are opened.
    const secret = await exchangeToken(page).catch(() => null);
    if (secret === null) return;
    keep(secret);
    // Other tabs may be waiting to be let in.
    say({ type: 'tell', secret });
  };
  const exchanged = exchange();

  return {
    async secret() {
      await exchanged;
      if (known === null) await askTabs();
      return known;
    },
    forget(secret) {
      if (known !== secret) return;
      known = null;
      storage?.removeItem(storageKey);
    },
    async signOutEverywhere() {
      if (known === null) return;
      const headers = { authorization: `Bearer ${known}` };
      await page.fetch('/session', { method: 'DELETE', headers, credentials: 'omit' });
    },
  };
}

/** null = the address has no token, or one that is not taken. */
async function exchangeToken({ location, history, fetch }: SignInPage): Promise<string | null> {
  const token = tokenIn(location.hash);
  if (token === null) return null;
  // Dropped first: a reload or a copied address must not carry the token, whatever the answer is.
  history.replaceState(null, '', location.pathname + location.search);
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    credentials: 'omit',
  });
  if (!response.ok) return null;
  const { secret } = (await response.json()) as { secret: string };
  return secret;
}

/** Of an address's fragment; null = there is none. */
export const tokenIn = (hash: string): string | null =>
  new URLSearchParams(hash.slice(1)).get('token') || null;
