import { describe, expect, it } from 'vitest';
import { settled } from '../testing/fake-server.ts';
import { createSignIn, tokenIn, type SignInPage } from './sign-in.ts';

type Listener = (event: MessageEvent) => void;

/** The tabs of one browser on one origin: what one says all others hear. */
class Browser {
  readonly #listeners = new Map<object, Listener[]>();

  tab({
    hash = '',
    stored = null,
    status = 200,
  }: { hash?: string; stored?: string | null; status?: number } = {}) {
    const kept = new Map(stored === null ? [] : [['andiron.secret', stored]]);
    const requests: { url: string; init: RequestInit }[] = [];
    const addresses: string[] = [];
    const self = {};
    const page: SignInPage = {
      location: { hash, pathname: '/', search: '?a=1' },
      history: { replaceState: (_data, _unused, url) => void addresses.push(url) },
      fetch: (url, init) => {
        requests.push({ url, init });
        const body = init.method === 'POST' ? '{"secret":"fresh"}' : null;
        return Promise.resolve(new Response(body, { status }));
      },
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
      tabs: {
        postMessage: (data: unknown) => {
          for (const [tab, listeners] of this.#listeners) {
            if (tab !== self) for (const listen of listeners) listen(new MessageEvent('message', { data }));
          }
        },
        addEventListener: (_type: string, listen: Listener) => {
          this.#listeners.set(self, [...(this.#listeners.get(self) ?? []), listen]);
        },
      } as SignInPage['tabs'],
      pause: () => settled(),
    };
    return { signIn: createSignIn(page), kept, requests, addresses };
  }
}

describe('the token in the address', () => {
  it('is exchanged once for a secret that the tab keeps, and dropped from the address (audit-S3)', async () => {
    const { signIn, kept, requests, addresses } = new Browser().tab({ hash: '#token=abc' });
    expect(await signIn.secret()).toBe('fresh');
    expect(requests).toMatchObject([
      { url: '/session', init: { method: 'POST', body: '{"token":"abc"}', credentials: 'omit' } },
    ]);
    expect(addresses).toEqual(['/?a=1']);
    expect([...kept.values()]).toEqual(['fresh']);
  });

  it('is dropped also when it is refused', async () => {
    const { signIn, addresses, kept } = new Browser().tab({ hash: '#token=old', status: 401 });
    expect(await signIn.secret()).toBeNull();
    expect([addresses.length, kept.size]).toEqual([1, 0]);
  });

  it('wins over the secret of an earlier start (audit-S3)', async () => {
    const { signIn } = new Browser().tab({ hash: '#token=abc', stored: 'stale' });
    expect(await signIn.secret()).toBe('fresh');
  });

  it.each(['', '#', '#token=', '#tokens=abc'])('is not there in %j', async (hash) => {
    const { signIn, requests, addresses } = new Browser().tab({ hash });
    expect(await signIn.secret()).toBeNull();
    expect([...addresses, ...requests]).toEqual([]);
    expect(tokenIn(hash)).toBeNull();
  });
});

describe('a tab', () => {
  it('stays signed in when it is reloaded (audit-S3)', async () => {
    const { signIn, requests } = new Browser().tab({ stored: 'kept' });
    expect(await signIn.secret()).toBe('kept');
    expect(requests).toEqual([]);
  });

  it('is let in by another one of its browser that is signed in (audit-S3)', async () => {
    const browser = new Browser();
    browser.tab({ stored: 'kept' });
    const second = browser.tab();
    expect(await second.signIn.secret()).toBe('kept');
    expect([...second.kept.values()]).toEqual(['kept']);
  });

  it('is let in when another one signs in later (audit-S3)', async () => {
    const browser = new Browser();
    const first = browser.tab();
    expect(await first.signIn.secret()).toBeNull();
    await browser.tab({ hash: '#token=abc' }).signIn.secret();
    expect(await first.signIn.secret()).toBe('fresh');
  });

  it('forgets a secret that is not taken, and no newer one', async () => {
    const { signIn, kept } = new Browser().tab({ stored: 'kept' });
    signIn.forget('older');
    expect(await signIn.secret()).toBe('kept');
    signIn.forget('kept');
    expect(await signIn.secret()).toBeNull();
    expect(kept.size).toBe(0);
  });

  it('signs out everywhere with its secret, and only when it has one (audit-S28)', async () => {
    const { signIn, requests } = new Browser().tab({ stored: 'kept', status: 204 });
    await signIn.signOutEverywhere();
    expect(requests).toMatchObject([
      { url: '/session', init: { method: 'DELETE', headers: { authorization: 'Bearer kept' } } },
    ]);
    signIn.forget('kept');
    await signIn.signOutEverywhere();
    expect(requests).toHaveLength(1);
  });
});
