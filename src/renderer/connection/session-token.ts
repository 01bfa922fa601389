/** Headless sign-in: the address carries the token as a fragment, which never reaches a server log (design 12). */

export interface TokenPage {
  location: { hash: string; pathname: string; search: string };
  history: { replaceState(data: unknown, unused: string, url: string): void };
  fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** Exchanges `#token=…` for the session cookie, once. Resolves true when there was a token and it was taken. */
export async function exchangeToken(page: TokenPage): Promise<boolean> {
  const { location, history } = page;
  const token = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!token) return false;
  // Dropped first: a reload or a copied address must not carry the token, whatever the answer is.
  history.replaceState(null, '', location.pathname + location.search);
  const response = await page.fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token }),
    credentials: 'same-origin',
  });
  return response.ok;
}

/** True when somebody answers who does not take this page's cookie; a socket that fails does not tell why. */
export async function isSignedOut({ fetch }: Pick<TokenPage, 'fetch'>): Promise<boolean> {
  try {
    const { status } = await fetch('/session', { credentials: 'same-origin' });
    return status === 401 || status === 403;
  } catch {
    return false;
  }
}
