/** A page from the web, with each of its redirects looked at as the first address was. */
import { isUtf8 } from 'node:buffer';
import { ToolFailure } from '../tools/tool.ts';
import { isHtml, readableKind } from './decode-text.ts';
import { readAddress, type PageAddress } from './page-address.ts';
import { reachHost, type HostGuard, type ReachWay } from './reach-host.ts';
import { sendRequest, type WebResponse } from './send-request.ts';

const maxRedirects = 5;
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

export interface FetchDeps extends HostGuard {
  /** Called before a host is asked over TLS, which may be reached through what only the system trusts. */
  trustSystem?: (() => void) | undefined;
}

export interface FetchedPage {
  /** Where it was found in the end. */
  url: URL;
  /** As its server says it; '' = it does not. */
  type: string;
  isHtml: boolean;
  body: Uint8Array;
}

/** Rejects with ToolFailure, or with the signal's reason. */
export async function fetchPage(text: string, way: ReachWay, deps: FetchDeps): Promise<FetchedPage> {
  let address = readAddress(text);
  let isLed = false;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const { addresses, isPrivate } = await reachHost(address, { ...way, isLed }, deps);
    isLed ||= !isPrivate;
    if (address.url.protocol === 'https:') deps.trustSystem?.();
    const response = await sendRequest({
      url: address.url,
      host: address.host,
      addresses,
      headers: { accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5' },
      signal: way.signal,
      wants: (got) => isPage(got, address),
    });
    const next = redirects.has(response.status) ? response.header('location') : null;
    if (next === null) {
      const type = response.header('content-type') ?? '';
      return { url: address.url, type, isHtml: isHtml(type, response.body), body: response.body };
    }
    address = readAddress(asWritten(next), address.url);
  }
  throw new ToolFailure(`The address leads on more than ${String(maxRedirects)} times.`, {
    advice: 'Try another source.',
  });
}

/** A header is read as latin1, and many servers write an address into it in UTF-8. */
function asWritten(header: string): string {
  const bytes = Buffer.from(header, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : header;
}

/** False for a redirect. Throws ToolFailure for what is no text. */
function isPage({ status, header }: WebResponse, { host }: PageAddress): boolean {
  if (redirects.has(status) && header('location') !== null) return false;
  if (status < 200 || status >= 300)
    throw new ToolFailure(`${host} answers with ${String(status)}.`, {
      advice: status === 404 ? 'There is no such page; look for its address.' : 'Try another source.',
    });
  const type = header('content-type') ?? '';
  if (readableKind(type)) return true;
  throw new ToolFailure(`This is no page of text: ${type.slice(0, 80)}.`, { advice: 'Read a page of text.' });
}
