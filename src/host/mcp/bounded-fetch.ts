/** The way to a server that has an address: what it answers is bounded, and it leads nowhere else. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { maxServerMessage } from '../../protocol/limits.ts';

/** @param beforeTls called before a server is asked over TLS, which may be reached through what only the system trusts */
export function boundedFetch(beforeTls: () => void = () => undefined, send: FetchLike = fetch): FetchLike {
  return async (address, init) => {
    if (String(address).startsWith('https:')) beforeTls();
    const response = await within(new URL(address), init, send);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body = response.body.pipeThrough(boundedBytes(isStream));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const maxRedirects = 3;

/**
 * A person named this server, and no other one: their headers and what is sent go to its origin alone, and none of their own
 * services can be reached through it.
 */
async function within(
  { href, origin }: URL,
  init: Parameters<FetchLike>[1],
  send: FetchLike,
): Promise<Response> {
  let at = href;
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    const response = await send(at, { ...init, redirect: 'manual' });
    const location = redirects.has(response.status) ? response.headers.get('location') : null;
    if (location === null) return response;
    await response.body?.cancel();
    const next = URL.parse(location, at);
    if (next?.origin !== origin)
      throw new Error(`It leads to another address: ${(next?.origin ?? location).slice(0, 200)}`);
    at = next.href;
  }
  throw new Error('It leads on and on.');
}

const lineEnd = 0x0a;
const carriageReturn = 0x0d;

/** Of a stream that may go on for ever each event is bounded: it ends with an empty line. */
function boundedBytes(isStream: boolean): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  let last = 0;
  const count = (chunk: Uint8Array): void => {
    if (!isStream) {
      bytes += chunk.length;
      return;
    }
    for (const byte of chunk) {
      bytes += 1;
      if (byte === carriageReturn) continue;
      if (byte === lineEnd && last === lineEnd) bytes = 0;
      last = byte;
    }
  };
  return new TransformStream({
    transform(chunk, controller) {
      count(chunk);
      if (bytes > maxServerMessage) controller.error(new Error('A message was too long.'));
      else controller.enqueue(chunk);
    },
  });
}
