/** HTTP and WebSockets of the headless server: the built page, sign-in and sign-out, and two pipes. */
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { text } from 'node:stream/consumers';
import { WebSocketServer, type WebSocket } from 'ws';
import { z } from 'zod';
import type { Clock, Timer } from '../platform/clock.ts';
import { HostStartError } from '../platform/host-channel.ts';
import { nodeHttp } from '../platform/node-http.ts';
import { pageFile, securityHeaders } from '../platform/page-files.ts';
import type { PortName } from '../protocol/desktop.ts';
import { parseJson } from '../protocol/json.ts';
import { maxConnections, maxFrameBytes, maxRequestsPerMinute } from '../protocol/limits.ts';
import { createAccess, type Access, type AccessRequest } from './access.ts';
import { createRateLimit } from './rate-limit.ts';
import { createSocketGate, type SocketGate } from './socket-gate.ts';
import { pageFrameFault, pipeFromWebSocket, type WindowPipe } from './socket-pipe.ts';

export interface WebOptions {
  /** 0 = any free port. */
  port: number;
  rendererDir: string;
  random: () => string;
  clock: Clock;
  onConnection: (name: PortName, pipe: WindowPipe) => void;
  /** A page was let in, so the printed address is spent. */
  onSignIn: () => void;
  /** A page signed everybody out, itself included; there is a new address. */
  onSignOut: () => void;
}

const loopback = '127.0.0.1';
const maxTokenRequestBytes = 1024;
/** Whoever takes longer holds a connection that others may need. */
const httpTimeouts = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };
const sessionCheckMs = 60 * 60_000;
/** What is larger than a frame may be is answered up to here; beyond it the socket is closed before all of it has come. */
const maxPayload = 2 * maxFrameBytes;
const signInSchema = z.object({ token: z.string() });

/** Rejects with HostStartError when the port cannot be had. */
export async function serveWeb(options: WebOptions) {
  const { clock, random } = options;
  const server = nodeHttp().createServer(httpTimeouts);
  server.maxConnections = maxConnections;
  const port = await listen(server, options.port);
  const access = createAccess({ port, random, now: () => clock.now() });
  const gate = createSocketGate(clock, (secret) => access.hasSession(secret));
  const isAllowed = createRateLimit(clock, maxRequestsPerMinute);
  const sockets = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });
  const headers = securityHeaders([`ws://${loopback}:${String(port)}`, `ws://localhost:${String(port)}`]);

  server.on('request', (request, response) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    answer(request, response, { ...options, access, gate, isAllowed }).catch(() => {
      // The client went away in the middle, or a file of the page cannot be read.
      if (response.headersSent) response.destroy();
      else end(response, 500, 'This cannot be answered.');
    });
  });
  server.on('upgrade', (request, socket, head) => {
    upgrade(request, socket, head, {
      access,
      gate,
      isAllowed,
      sockets,
      onConnection: options.onConnection,
    });
  });
  const checkSessions = (): Timer =>
    clock.after(sessionCheckMs, () => {
      gate.closeEnded();
      check = checkSessions();
    });
  let check = checkSessions();

  return {
    port,
    /** The address with the token that is good now. */
    address: (): string => `http://${loopback}:${String(port)}/#token=${access.token()}`,
    close: (): Promise<void> =>
      new Promise((resolve) => {
        check.cancel();
        for (const socket of sockets.clients) socket.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function listen(server: Server, port: number): Promise<number> {
  server.listen(port, loopback);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenFailure(error, port);
  }
  return (server.address() as AddressInfo).port;
}

function listenFailure(error: unknown, port: number): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const advice = 'Choose another one with --port, or leave it out for any free one.';
  if (code === 'EADDRINUSE') return new HostStartError(`Another program uses port ${String(port)}.`, advice);
  if (code === 'EACCES') return new HostStartError(`Port ${String(port)} may not be opened.`, advice);
  return error;
}

interface Answering extends Pick<WebOptions, 'rendererDir' | 'onSignIn' | 'onSignOut'> {
  access: Access;
  gate: SocketGate;
  isAllowed: () => boolean;
}

async function answer(request: IncomingMessage, response: ServerResponse, parts: Answering): Promise<void> {
  if (!parts.access.isOurs(asked(request))) {
    end(response, 403, 'This address belongs to Andiron alone.');
    return;
  }
  const path = pathOf(request);
  if (path === '/session') await answerSession(request, response, parts);
  else if (request.method === 'GET' || request.method === 'HEAD')
    await sendPage(request, response, path, parts);
  else end(response, 405, 'Only GET.', { Allow: 'GET, HEAD' });
}

/** POST exchanges the token for the secret of a session; DELETE, by one who has a session, ends all of them. */
async function answerSession(
  request: IncomingMessage,
  response: ServerResponse,
  { access, gate, isAllowed, onSignIn, onSignOut }: Answering,
): Promise<void> {
  if (request.method !== 'POST' && request.method !== 'DELETE') {
    end(response, 405, 'Only POST and DELETE.', { Allow: 'POST, DELETE' });
    return;
  }
  if (!isAllowed()) {
    end(response, 429, 'Too many requests. Try again in a minute.', { 'Retry-After': '60' });
    return;
  }
  if (request.method === 'DELETE') {
    if (!access.hasSession(bearerOf(request))) {
      end(response, 401, 'This page is not signed in.');
      return;
    }
    access.signOutEverywhere();
    end(response, 204);
    gate.closeEnded();
    onSignOut();
    return;
  }
  const offered = await readSignIn(request);
  const secret = offered === null ? null : access.exchange(offered);
  if (secret === null) {
    end(response, 401, 'This token is wrong or was used. The terminal shows a new address.');
    return;
  }
  end(response, 200, JSON.stringify({ secret }), { 'Content-Type': 'application/json; charset=utf-8' });
  onSignIn();
}

const bearerOf = ({ headers }: IncomingMessage): string =>
  /^Bearer (?<secret>\S+)$/.exec(headers.authorization ?? '')?.groups?.['secret'] ?? '';

async function readSignIn(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? Infinity) > maxTokenRequestBytes) return null;
  try {
    return signInSchema.parse(parseJson(await text(request))).token;
  } catch {
    return null;
  }
}

async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  { rendererDir }: Pick<WebOptions, 'rendererDir'>,
): Promise<void> {
  const file = pageFile(rendererDir, path);
  const found = file && (await stat(file.path).catch(() => null));
  if (!file || !found?.isFile()) {
    end(response, 404, 'There is no such file.');
    return;
  }
  response.writeHead(200, {
    'Content-Type': file.contentType,
    'Content-Length': found.size,
    'Cache-Control': file.immutable ? 'private, max-age=31536000, immutable' : 'no-cache',
  });
  if (request.method === 'HEAD') {
    response.end();
    return;
  }
  const stream = createReadStream(file.path);
  stream.on('error', () => response.destroy());
  stream.pipe(response);
}

const pipeNames: Readonly<Record<string, PortName>> = { '/host': 'host', '/engine': 'engine' };

interface Upgrading extends Pick<WebOptions, 'onConnection'> {
  access: Access;
  gate: SocketGate;
  isAllowed: () => boolean;
  sockets: WebSocketServer;
}

function upgrade(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  { access, gate, isAllowed, sockets, onConnection }: Upgrading,
): void {
  const name = pipeNames[pathOf(request)];
  const who = asked(request);
  // A WebSocket handshake is a GET, and every browser puts the Origin on it: without one it is no page.
  if (who.origin === undefined || !access.isOurs(who)) refuse(socket, '403 Forbidden');
  else if (name === undefined) refuse(socket, '404 Not Found');
  else if (!isAllowed()) refuse(socket, '429 Too Many Requests');
  else {
    sockets.handleUpgrade(request, socket, head, (client: WebSocket) => {
      gate.receive(client, socket, () => onConnection(name, pipeFromWebSocket(client, pageFrameFault)));
    });
  }
}

function refuse(socket: Duplex, status: string): void {
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

function end(
  response: ServerResponse,
  status: number,
  body = '',
  headers: Record<string, string> = {},
): void {
  response.writeHead(status, {
    'Cache-Control': 'no-store',
    ...(body && { 'Content-Type': 'text/plain; charset=utf-8' }),
    ...headers,
  });
  response.end(body && `${body}\n`);
}

/** Without query; `//evil` is a path too, so no URL parser may see it as a host. */
const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?')[0] ?? '/';

function asked(request: IncomingMessage): AccessRequest {
  const { host, origin } = request.headers;
  return { method: request.method ?? 'GET', host, origin };
}
