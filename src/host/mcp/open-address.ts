/** A server that has an address, over streamable HTTP. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { boundedFetch } from './bounded-fetch.ts';
import { maySignIn, type AddressServer } from './server-file.ts';
import type { OpenedTransport } from './server-link.ts';
import type { SignIns } from './sign-ins.ts';

/** An old one answers that it knows no such question; one that is silent is slow. */
const probeMs = 20_000;

interface AddressDeps {
  signIns: Pick<SignIns, 'providerFor' | 'heed'>;
  /** Called before it is asked over TLS. */
  beforeTls?: (() => void) | undefined;
}

export async function openAddress(
  server: AddressServer,
  { signIns, beforeTls }: AddressDeps,
): Promise<OpenedTransport> {
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
  const { url, headers } = server;
  const send = boundedFetch(beforeTls);
  const fetch: FetchLike = async (address, init) => {
    const response = await send(address, init);
    await signIns.heed(server, response);
    return response;
  };
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch,
    requestInit: { headers },
    ...(maySignIn(server) && { authProvider: signIns.providerFor(server) }),
  });
  return { transport, probeMs, endsIfOld: false, lastWords: () => '' };
}
