import { describe, expect, it } from 'vitest';
import { exchangeToken, isSignedOut } from './session-token.ts';

function page(hash: string, status = 204) {
  const urls: string[] = [];
  const posts: { url: string; body: unknown }[] = [];
  return {
    urls,
    posts,
    page: {
      location: { hash, pathname: '/', search: '?a=1' },
      history: { replaceState: (_data: unknown, _unused: string, url: string) => void urls.push(url) },
      fetch: (url: string, init: RequestInit) => {
        posts.push({ url, body: init.body });
        return Promise.resolve(new Response(null, { status }));
      },
    },
  };
}

describe('the token in the address', () => {
  it('is exchanged once and dropped from the address', async () => {
    const { page: here, urls, posts } = page('#token=abc');
    expect(await exchangeToken(here)).toBe(true);
    expect(posts).toEqual([{ url: '/session', body: '{"token":"abc"}' }]);
    expect(urls).toEqual(['/?a=1']);
  });

  it('is dropped also when it is refused', async () => {
    const { page: here, urls } = page('#token=old', 403);
    expect(await exchangeToken(here)).toBe(false);
    expect(urls).toHaveLength(1);
  });

  it('is not asked for when there is none', async () => {
    const { page: here, urls, posts } = page('');
    expect(await exchangeToken(here)).toBe(false);
    expect([...urls, ...posts]).toEqual([]);
  });
});

describe('a socket that fails', () => {
  it('is known to be refused only where somebody is there and says so', async () => {
    expect(await isSignedOut(page('', 401).page)).toBe(true);
    expect(await isSignedOut(page('', 204).page)).toBe(false);
    expect(await isSignedOut({ fetch: () => Promise.reject(new TypeError('Failed to fetch')) })).toBe(false);
  });
});
