import type { IncomingMessage, ServerResponse } from 'node:http';

import type { Clock } from '../clock.ts';
import type { Truth, TruthRequest } from '../truth/truth.ts';
import { goJson } from '../wire/go-json.ts';
import type { LineAnswer } from './answer.ts';
import { readBody } from './body.ts';

/** Bodies up to this size carry a Content-Length, larger ones are chunked, as Go's server does. */
const LARGEST_COUNTED_BODY = 2048;

type Header = [name: string, value: string];

/**
 * One request and its answer, in the bytes of Ollama's server: which headers, in which order, when; and
 * when the server notices that the client has gone.
 */
export class Exchange implements LineAnswer {
  readonly request: IncomingMessage;
  readonly closed: AbortSignal;
  readonly #response: ServerResponse;
  readonly #clock: Clock;
  readonly #truth: Truth;
  readonly #headers: readonly Header[];
  readonly #closing = new AbortController();
  /** Each byte of a line in a piece of its own. */
  splitsBytes = false;
  #noticesClose = true;
  #peerLeftAt: number | undefined;
  #record: TruthRequest | undefined;
  #finished = false;

  constructor(parts: {
    request: IncomingMessage;
    response: ServerResponse;
    clock: Clock;
    truth: Truth;
    /** Go into every answer. */
    headers: readonly Header[];
  }) {
    this.request = parts.request;
    this.#response = parts.response;
    this.#clock = parts.clock;
    this.#truth = parts.truth;
    this.#headers = parts.headers;
    this.closed = this.#closing.signal;
    const { socket } = parts.request;
    const onLeave = () => this.#peerLeft();
    const stop = () => {
      this.#finished = true;
      socket.off('end', onLeave);
      socket.off('close', onLeave);
    };
    socket.once('end', onLeave);
    socket.once('close', onLeave);
    parts.response.once('finish', stop);
  }

  get hasStarted(): boolean {
    return this.#response.headersSent;
  }

  /** The text of the body, as soon as Ollama would begin to work on it. */
  async body(): Promise<string> {
    const { text, noticesClose } = await readBody(this.request);
    this.#noticesClose = noticesClose;
    return text;
  }

  /** From now on what happens is written into the record. */
  describe(record: TruthRequest): void {
    this.#record = record;
    if (this.#peerLeftAt !== undefined) this.#noteLeft(record, this.#peerLeftAt);
  }

  /** A whole JSON answer. */
  json(status: number, value: unknown): void {
    this.whole(status, 'application/json; charset=utf-8', goJson(value));
  }

  whole(status: number, contentType: string, text: string): void {
    const isHead = this.request.method === 'HEAD';
    const size = Buffer.byteLength(text);
    const length: Header[] =
      size <= LARGEST_COUNTED_BODY ? [['Content-Length', String(size)]] : isHead ? [] : [CHUNKED];
    this.#begin(status, [['Content-Type', contentType]], length);
    this.#response.end(isHead ? undefined : text);
  }

  /** An error found after scheduling, on a streamed request: no charset, and chunked however short. */
  streamedError(status: number, error: string): void {
    this.#begin(status, [['Content-Type', 'application/json']], [CHUNKED]);
    this.#response.end(goJson({ error }));
  }

  empty(
    status: number,
    headers: readonly Header[] = [],
    length: readonly Header[] = [['Content-Length', '0']],
  ): void {
    this.#begin(status, headers, length);
    this.#response.end();
  }

  line(value: unknown): void {
    this.rawLine(goJson(value));
  }

  rawLine(text: string | Uint8Array): void {
    this.beginLines();
    // A server that did not notice the close learns of it when it writes.
    if (this.#peerLeftAt !== undefined) return this.#seeClose();
    const line = Buffer.concat([Buffer.from(text), Buffer.from('\n')]);
    if (!this.splitsBytes) this.#response.write(line);
    else for (const byte of line) this.#response.write(Buffer.of(byte));
  }

  beginLines(): void {
    if (this.hasStarted) return;
    this.#begin(200, [['Content-Type', 'application/x-ndjson']], [CHUNKED]);
  }

  end(): void {
    if (!this.#response.writableEnded) this.#response.end();
  }

  reset(): void {
    this.request.socket.resetAndDestroy();
  }

  abandon(): void {
    if (!this.#response.writableEnded) this.request.socket.destroy();
  }

  #begin(status: number, headers: readonly Header[], last: readonly Header[]): void {
    const sorted = [...this.#headers, ...headers].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    const date: Header = ['Date', new Date().toUTCString()];
    const close: Header[] = this.request.headers.connection === 'close' ? [['Connection', 'close']] : [];
    this.#response.removeHeader('connection');
    this.#response.sendDate = false;
    this.#response.writeHead(status, [...sorted, date, ...last, ...close].flat());
    if (this.#record !== undefined) {
      this.#record.headersAt = this.#clock.now();
      this.#record.status = status;
      this.#truth.emit('headers-sent', { request: this.#record });
    }
  }

  #peerLeft(): void {
    if (this.#finished || this.#peerLeftAt !== undefined) return;
    this.#peerLeftAt = this.#clock.now();
    this.#response.shouldKeepAlive = false;
    if (this.#record !== undefined) this.#noteLeft(this.#record, this.#peerLeftAt);
    if (this.#noticesClose) this.#seeClose();
  }

  #noteLeft(record: TruthRequest, at: number): void {
    record.closedByClientAt = at;
    this.#truth.emit('client-closed', { request: record });
    if (this.closed.aborted) this.#noteSeen(record);
  }

  #seeClose(): void {
    if (this.closed.aborted) return;
    this.#closing.abort();
    if (this.#record !== undefined) this.#noteSeen(this.#record);
  }

  #noteSeen(record: TruthRequest): void {
    record.closeSeenAt = this.#clock.now();
    this.#truth.emit('close-seen', { request: record });
  }
}

const CHUNKED: Header = ['Transfer-Encoding', 'chunked'];
