/**
 * Which requests are answered at all. A web page anywhere can send requests to a loopback port, and a name that it controls
 * can be made to resolve to 127.0.0.1: so the Host is checked, and whatever a page sends has an Origin and is refused.
 */
import type { IncomingHttpHeaders } from 'node:http';
import { ApiFailure } from './api-failure.ts';

const maxTokenLength = 200;

/** Throws ApiFailure for a request that is not meant for this gateway. */
export function checkAddress({ host, origin }: IncomingHttpHeaders, hosts: readonly string[]): void {
  if (host === undefined || !hosts.includes(host))
    throw new ApiFailure(403, 'wrong_host', 'This address belongs to another server.');
  if (origin !== undefined)
    throw new ApiFailure(403, 'origin_refused', 'Web pages are not served here. Ask from a program.');
}

/** Returns the token of the request. Throws ApiFailure for one that is not meant for this gateway, or says none. */
export function tokenOf(headers: IncomingHttpHeaders, hosts: readonly string[]): string {
  checkAddress(headers, hosts);
  const token = /^Bearer (?<token>\S+)$/i.exec(headers.authorization ?? '')?.groups?.['token'];
  return checkToken(token ?? '');
}

/** Only the form of it: the host knows which tokens are good. */
export function checkToken(token: string): string {
  if (/^and_[\w-]+$/.test(token) && token.length <= maxTokenLength) return token;
  throw new ApiFailure(401, 'no_token', 'Send a token of Andiron: "Authorization: Bearer and_…".');
}
