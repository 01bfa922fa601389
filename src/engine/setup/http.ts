/** One download request that goes only where it may: GitHub hands its files out from another host. */
import { isLoopback } from '../supervision/host-address.ts';
import { SetupFailure } from './setup-failure.ts';

export interface HttpRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  signal: AbortSignal;
}

const maxRedirects = 5;

/** Follows redirects to https only; plain http leads nowhere but from loopback to loopback. */
export async function requestDownload(doFetch: typeof fetch, request: HttpRequest): Promise<Response> {
  const mayBePlain = isPlainLoopback(request.url);
  let url = request.url;
  for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
    if (!isHttps(url) && !(mayBePlain && isPlainLoopback(url))) throw refused(`it leads to ${url}`);
    const response = await doFetch(url, {
      headers: request.headers,
      signal: request.signal,
      redirect: 'manual',
    });
    if (response.status < 300 || response.status >= 400 || response.status === 304) return response;
    await response.body?.cancel();
    const location = response.headers.get('location');
    if (location === null || !URL.canParse(location, url)) throw refused('it leads nowhere');
    url = new URL(location, url).href;
  }
  throw refused('it was passed on too often');
}

function isHttps(url: string): boolean {
  return new URL(url).protocol === 'https:';
}

function isPlainLoopback(url: string): boolean {
  return new URL(url).protocol === 'http:' && isLoopback(url);
}

function refused(why: string): SetupFailure {
  return new SetupFailure(
    'download_refused',
    `The download was not followed: ${why}.`,
    'Something between here and the release changes it; look at the network, then try again.',
  );
}
