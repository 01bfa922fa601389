/** The way to a server that has an address: what it answers is bounded. */
import type { FetchLike } from '@modelcontextprotocol/client';
import { maxMessage } from './process-transport.ts';

/** @param beforeTls called before a server is asked over TLS, which may be reached through what only the system trusts */
export function boundedFetch(beforeTls: () => void = () => undefined, send: FetchLike = fetch): FetchLike {
  return async (address, init) => {
    if (String(address).startsWith('https:')) beforeTls();
    const response = await send(address, init);
    if (!response.body) return response;
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const body = response.body.pipeThrough(boundedBytes(isStream));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
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
      if (bytes > maxMessage) controller.error(new Error('A message was too long.'));
      else controller.enqueue(chunk);
    },
  });
}
