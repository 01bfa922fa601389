/**
 * One HTTP request to Ollama, with the three things that its clients get wrong: nothing times out by itself (prefill is
 * silent), the body always has Content-Length (chunked ones hide a close), and an abort closes the connection at the
 * right moment.
 *
 * Before the first byte that moment is now. While lines come it is a quiet one, because closing against a waiting line
 * can cost Ollama the model's only slot (docs/engine.md, Cancelling).
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Clock, Timer } from '../platform/clock.ts';
import { httpRequest, httpsRequest } from '../platform/node-http.ts';
import { parseJson } from '../protocol/json.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import { errorLineSchema } from './schemas.ts';

/** Closed once no line came for this long … */
const quietMs = 4;
/** … and at the latest after this, from the abort. After a tool-call line the end is awaited this long. */
const maxQuietWaitMs = 40;

/** What came is no answer that anybody could read; `what` goes behind "could not be read: ". */
export class UnreadableAnswer extends Error {
  readonly what: string;

  constructor(what: string) {
    super(`The answer could not be read: ${what}.`);
    this.name = 'UnreadableAnswer';
    this.what = what;
  }
}

export interface Connection {
  /** For the `ollama` package. */
  fetch: typeof fetch;
  /** A call was on the last line: its `done` follows at once, or minutes later. */
  expectEnd(expected: boolean): void;
  /** The reply is complete; whatever the server still sends is not read. */
  finish(): void;
  /** Resolves when the socket is gone, at once if there was none. */
  closed(): Promise<void>;
}

export type OpenConnection = (clock: Clock, signal: AbortSignal) => Connection;

export function openConnection(clock: Clock, signal: AbortSignal): Connection {
  const done = Promise.withResolvers<void>();
  let outgoing: ClientRequest | undefined;
  let endExpected = false;

  const send = (url: URL, init: RequestInit): Promise<Response> =>
    new Promise((resolve, reject) => {
      const start = url.protocol === 'https:' ? httpsRequest : httpRequest;
      const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
      const headers: Record<string, string> = { ...plainHeaders(init.headers) };
      if (body) headers['Content-Length'] = String(body.length);
      // A connection of its own: closing it can stop nobody else.
      const sent = start(url, { method: init.method ?? 'GET', headers, agent: false });
      outgoing = sent;

      const onAbort = (): void => {
        sent.destroy();
        reject(abortError(signal));
      };
      signal.addEventListener('abort', onAbort, { once: true });
      const fail = (error: unknown): void => {
        signal.removeEventListener('abort', onAbort);
        sent.destroy();
        reject(signal.aborted ? abortError(signal) : error);
      };
      sent.on('error', fail);
      sent.on('close', () => {
        done.resolve();
        fail(new Error('The connection was closed before an answer came.'));
      });
      // The socket is ours from here on: without this listener Node closes it and tells nobody why.
      sent.on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        fail(new UnreadableAnswer(`its HTTP status is ${String(statusCode ?? 0)}`));
      });
      sent.on('response', (incoming) => {
        // Whatever is thrown here, in an event of the socket, would end the process.
        try {
          const answer = toResponse(incoming, sent);
          signal.removeEventListener('abort', onAbort);
          resolve(answer);
        } catch (error) {
          incoming.on('error', () => undefined);
          fail(error);
        }
      });
      sent.end(body);
    });

  const toResponse = (incoming: IncomingMessage, sent: ClientRequest): Response => {
    const { statusCode: status = 0 } = incoming;
    if (!canHaveBody(status)) throw new UnreadableAnswer(`its HTTP status is ${String(status)}`);
    const headers = new Headers({ 'Content-Type': incoming.headers['content-type'] ?? '' });
    return new Response(bodyOf(incoming, sent), { status, headers });
  };

  const bodyOf = (incoming: IncomingMessage, sent: ClientRequest): ReadableStream<Uint8Array> => {
    let quiet: Timer | undefined;
    let latest: Timer | undefined;
    let open = true;
    /** Once, and never after the reader has gone: a closed stream answers by throwing into the socket's events. */
    const settle = (act: () => void): void => {
      if (!open) return;
      open = false;
      act();
    };
    const close = (): void => {
      quiet?.cancel();
      latest?.cancel();
      sent.destroy();
    };
    const awaitQuiet = (): void => {
      quiet?.cancel();
      if (!endExpected) quiet = clock.after(quietMs, close);
    };

    return new ReadableStream<Uint8Array>({
      start(controller) {
        const onAbort = (): void => {
          settle(() => controller.error(abortError(signal)));
          // From here on bytes are read and dropped, to see when it is quiet.
          incoming.resume();
          latest = clock.after(maxQuietWaitMs, close);
          awaitQuiet();
        };

        incoming.on('data', (chunk: Buffer) => {
          if (signal.aborted) {
            awaitQuiet();
            return;
          }
          if (!open) return;
          controller.enqueue(chunk);
          if ((controller.desiredSize ?? 1) <= 0) incoming.pause();
        });
        incoming.on('end', () => settle(() => controller.close()));
        incoming.on('error', (error) => settle(() => controller.error(error)));
        incoming.on('close', () => {
          quiet?.cancel();
          latest?.cancel();
          signal.removeEventListener('abort', onAbort);
          settle(() => controller.error(new Error('The connection was closed in the middle of the answer.')));
        });
        signal.addEventListener('abort', onAbort, { once: true });
        if (signal.aborted) onAbort();
      },
      pull() {
        incoming.resume();
      },
      cancel() {
        settle(() => sent.destroy());
      },
    });
  };

  return {
    async fetch(input, init = {}) {
      if (signal.aborted) throw abortError(signal);
      const url = new URL(input instanceof Request ? input.url : input);
      const response = await send(url, init);
      return response.ok ? response : withErrorBody(response);
    },
    expectEnd(expected) {
      endExpected = expected;
    },
    finish() {
      outgoing?.destroy();
    },
    closed: () => (outgoing ? done.promise : Promise.resolve()),
  };
}

/** The package logs to the console when an error has no JSON body (403 has an empty one): always give it one. */
async function withErrorBody(response: Response): Promise<Response> {
  const text = await beginning(response);
  const body = JSON.stringify({ error: errorIn(text) ?? (text || `HTTP ${response.status}`) });
  return new Response(body, { status: response.status, headers: { 'Content-Type': 'application/json' } });
}

async function beginning({ body }: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of body ?? []) {
    parts.push(part);
    bytes += part.length;
    if (bytes > maxReplyBytes.error) break;
  }
  return Buffer.concat(parts).toString();
}

/** undefined = not Ollama's shape: the text is told as it came. */
function errorIn(text: string): string | undefined {
  try {
    return errorLineSchema.parse(parseJson(text)).error;
  } catch {
    return undefined;
  }
}

/** Every answer to us has a body; `Response` throws for statuses without one and for those that HTTP does not know. */
function canHaveBody(status: number): boolean {
  return status >= 200 && status <= 599 && status !== 204 && status !== 205 && status !== 304;
}

function plainHeaders(headers: RequestInit['headers']): Record<string, string> {
  const plain: Record<string, string> = {};
  new Headers(headers).forEach((value, key) => {
    plain[key] = value;
  });
  return plain;
}

function abortError(signal: AbortSignal): unknown {
  return signal.reason;
}
