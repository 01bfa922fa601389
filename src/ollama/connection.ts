/**
 * One HTTP request to Ollama, with the three things that its clients get wrong: nothing times out by itself (prefill is
 * silent), the body always has Content-Length (chunked ones hide a close), and an abort closes the connection at the
 * right moment.
 *
 * Before the first byte that moment is now. While lines come it is a quiet one (`answer-body.ts`).
 */
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Clock } from '../platform/clock.ts';
import { nodeHttp, nodeHttps } from '../platform/node-http.ts';
import { parseJson } from '../protocol/json.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import { bodyOf, QuietClose } from './answer-body.ts';
import { errorLineSchema } from './schemas.ts';

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

  /** Throws UnreadableAnswer for one that no client could hand on. */
  const toResponse = (incoming: IncomingMessage, sent: ClientRequest): Response => {
    const { statusCode: status = 0 } = incoming;
    if (!canHaveBody(status)) throw new UnreadableAnswer(`its HTTP status is ${String(status)}`);
    const headers = new Headers({ 'Content-Type': incoming.headers['content-type'] ?? '' });
    const quietClose = new QuietClose(sent, clock, () => endExpected);
    return new Response(bodyOf(incoming, sent, signal, quietClose), { status, headers });
  };

  return {
    async fetch(input, init = {}) {
      if (signal.aborted) throw abortError(signal);
      const url = new URL(input instanceof Request ? input.url : input);
      const body = typeof init.body === 'string' ? Buffer.from(init.body) : undefined;
      const sent = requestTo(url, init, body);
      outgoing = sent;
      sent.on('close', () => done.resolve());
      const answered = headOf(sent, signal, toResponse);
      sent.end(body);
      const response = await answered;
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

/** Below the path that the server's own address may have, as behind a reverse proxy. */
export function endpointOf(url: string, path: string): string {
  return `${url.replace(/\/$/, '')}${path}`;
}

/** Not sent yet. The body is given for its length alone. */
function requestTo(url: URL, init: RequestInit, body: Buffer | undefined): ClientRequest {
  const { request: start } = url.protocol === 'https:' ? nodeHttps() : nodeHttp();
  const headers: Record<string, string> = { ...plainHeaders(init.headers) };
  if (body) headers['Content-Length'] = String(body.length);
  // The request has its connection to itself: closing it can stop nobody else.
  return start(url, { method: init.method ?? 'GET', headers, agent: false });
}

/**
 * Resolves when the head of the answer is there; from then on an abort is a matter of the body. Before, an abort closes the
 * connection at once and rejects with its reason.
 */
function headOf(
  sent: ClientRequest,
  signal: AbortSignal,
  toResponse: (incoming: IncomingMessage, sent: ClientRequest) => Response,
): Promise<Response> {
  return new Promise((resolve, reject) => {
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
    sent.on('close', () => fail(new Error('The connection was closed before an answer came.')));
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
  });
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
