/** A server that has an address, over streamable HTTP. */
import { boundedFetch } from './bounded-fetch.ts';
import type { AddressServer } from './server-file.ts';
import type { OpenedTransport } from './server-link.ts';

/** An old one answers that it knows no such question; one that is silent is slow. */
const probeMs = 20_000;

/** @param beforeTls called before it is asked over TLS */
export async function openAddress(
  { url, headers }: AddressServer,
  beforeTls?: () => void,
): Promise<OpenedTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const fetch = boundedFetch(beforeTls);
  const transport = new StreamableHTTPClientTransport(new URL(url), { fetch, requestInit: { headers } });
  return { transport, probeMs, lastWords: () => '' };
}
