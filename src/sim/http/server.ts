import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';

import { routeOf } from '../endpoints/routes.ts';
import type { Engine } from '../engine.ts';
import { checkAccess, preflightHeaders } from './access.ts';
import { Exchange } from './exchange.ts';

/** The server's listener: like Ollama's it has no timeouts and keeps idle connections for ever. */
export function createHttpServer(engine: Engine): Server {
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0, headersTimeout: 0, noDelay: true });
  // A client that only half-closes must still be able to read the answer that tells it so.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handle(engine, request, response).catch((error: unknown) => {
      // A mistake of the simulator itself: visible to tests, and the client is not left waiting.
      engine.truth.fail(error);
      request.socket.destroy();
    });
  });
  server.on('clientError', (_, socket) => socket.destroy());
  return server;
}

async function handle(engine: Engine, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { clock, truth } = engine;
  const access = checkAccess(request);
  const headers = access.allowed && request.method !== 'OPTIONS' ? access.headers : [];
  const exchange = new Exchange({ request, response, clock, truth, headers });
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const method = request.method ?? 'GET';
  const route = routeOf(path, method);
  const methods = 'methods' in route ? route.methods : [];
  const allow: [string, string][] =
    method === 'OPTIONS' && methods.length > 0 ? [['Allow', methods.join(', ')]] : [];
  if (!access.allowed) return exchange.empty(403, allow);
  if (method === 'OPTIONS' && methods.length > 0) {
    const { origin } = request.headers;
    return exchange.empty(204, origin === undefined ? allow : preflightHeaders(origin, methods), []);
  }
  if (!('endpoint' in route)) {
    if (methods.length === 0) return exchange.whole(404, 'text/plain', '404 page not found');
    return exchange.whole(405, 'text/plain', '405 method not allowed');
  }
  const text = method === 'POST' ? await exchange.body() : '';
  const body = parseOrKeep(text);
  const asksForPrompt = fieldOf(body, '_debug_render_only') === true;
  const record = truth.begin(asksForPrompt ? `${path}#render` : path, modelNameIn(body), body);
  exchange.describe(record);
  await route.endpoint(engine, exchange, text, record);
  truth.finish(record, 'done');
}

function parseOrKeep(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function fieldOf(body: unknown, key: string): unknown {
  return typeof body === 'object' && body !== null ? Reflect.get(body, key) : undefined;
}

function modelNameIn(body: unknown): string {
  const name = fieldOf(body, 'model');
  return typeof name === 'string' ? name : '';
}
