/** Stands before the simulated engine; for a path that is flooded it answers with whatever bytes it was given. */
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** Bytes of a body, piece by piece; it may never end. */
export type Body = () => Iterable<string>;

export interface FloodEngine {
  url: string;
  /** Answers that path with `body` until it is called with null. */
  flood(path: string, body: Body | null, status?: number): void;
  /** Answers that path with these bytes in the place of an answer's head and body, until it is called with null. */
  floodHead(path: string, head: string | null): void;
  close(): Promise<void>;
}

export async function startFloodEngine(engineUrl: string): Promise<FloodEngine> {
  const floods = new Map<string, { body: Body; status: number }>();
  const heads = new Map<string, string>();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const asked = await text(request);
    const flooded = floods.get(request.url ?? '');
    // A template that is only rendered is no question to the model.
    const head = heads.get(request.url ?? '');
    if (head !== undefined) response.socket?.end(Buffer.from(head, 'latin1'));
    else if (flooded && !asked.includes('"_debug_render_only"'))
      await pour(response, flooded.body(), flooded.status);
    else pass(engineUrl, request, asked, response);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    flood(path, body, status = 200) {
      if (body) floods.set(path, { body, status });
      else floods.delete(path);
    },
    floodHead(path, head) {
      if (head === null) heads.delete(path);
      else heads.set(path, head);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** It takes more, or it is closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

async function pour(response: ServerResponse, pieces: Iterable<string>, status: number): Promise<void> {
  let isOpen = true;
  response.on('close', () => (isOpen = false));
  response.writeHead(status, { 'Content-Type': 'application/x-ndjson' });
  for (const piece of pieces) {
    if (!isOpen) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
}

function pass(engineUrl: string, request: IncomingMessage, asked: string, response: ServerResponse): void {
  const { method, headers, url = '/' } = request;
  const onward = httpRequest(`${engineUrl}${url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  onward.end(asked);
}
