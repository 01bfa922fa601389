/** A scripted host that speaks `POST /chat/completions`: each request gets the next answer, and is kept to be looked at. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body as it was sent. */
  text: string;
  /** Resolves when the connection is gone. */
  closed: Promise<'closed'>;
}

/** Writes an answer. What it leaves open stays open until the client or the test closes it. */
export type Answer = (response: ServerResponse, request: SeenRequest) => void | Promise<void>;

export interface OpenAiServer {
  /** The API's root. */
  url: string;
  requests: SeenRequest[];
  /** The next request; at once if it has come. */
  next(): Promise<SeenRequest>;
  close(): Promise<void>;
}

/** Answers in this order; the last one answers whatever comes after. */
export async function openAiServer(...answers: Answer[]): Promise<OpenAiServer> {
  const requests: SeenRequest[] = [];
  let told = 0;
  let waiting: (() => void) | undefined;
  const server = createServer((incoming, response) => {
    const pieces: Buffer[] = [];
    incoming.on('data', (piece: Buffer) => pieces.push(piece));
    incoming.on('end', () => {
      const request: SeenRequest = {
        method: incoming.method ?? '',
        path: incoming.url ?? '',
        headers: incoming.headers,
        text: Buffer.concat(pieces).toString(),
        closed: once(response, 'close').then(() => 'closed' as const),
      };
      requests.push(request);
      waiting?.();
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      if (answer) void answer(response, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    async next() {
      told += 1;
      while (requests.length < told) await new Promise<void>((resolve) => (waiting = resolve));
      const request = requests[told - 1];
      if (!request) throw new Error('No request came.');
      return request;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One chunk as a line of the stream. */
export function chunk(delta: object, finishReason: string | null = null, rest: object = {}): string {
  const choices = [{ index: 0, delta, finish_reason: finishReason }];
  return data({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'served', choices, ...rest });
}

export function callChunk(index: number, part: { id?: string; name?: string; arguments?: string }): string {
  const { id, ...rest } = part;
  return chunk({ tool_calls: [{ index, ...(id !== undefined && { id }), function: rest }] });
}

export function data(value: object): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export const end = 'data: [DONE]\n\n';

/** Pieces of a stream, in one answer. */
export function stream(...pieces: (string | Uint8Array)[]): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    for (const piece of pieces) response.write(piece);
    response.end();
  };
}

/** The same, but the answer is never ended. */
export function openStream(...pieces: string[]): Answer {
  return (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.flushHeaders();
    for (const piece of pieces) response.write(piece);
  };
}

export function refusal(status: number, body: string, type = 'application/json'): Answer {
  return (response) => {
    response.writeHead(status, { 'Content-Type': type });
    response.end(body);
  };
}

/** A text, whole. */
export function saying(text: string): Answer {
  return stream(
    chunk({ role: 'assistant', content: null }),
    chunk({ content: text }),
    chunk({}, 'stop'),
    end,
  );
}
