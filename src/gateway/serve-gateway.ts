/**
 * The agent for other programs: HTTP on the loopback address, TLS on the local network where the person wants that, and
 * behind each request a connection with its token's rights.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { HostRpc } from '../cli/host-rpc.ts';
import type { Clock } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import type { HostMethods } from '../protocol/host-methods.ts';
import { maxConnections, maxRequestsPerMinute } from '../protocol/limits.ts';
import { createRateLimit } from '../server/rate-limit.ts';
import { createRpcClient } from '../protocol/rpc-client.ts';
import type { Transport } from '../protocol/transport.ts';
import { ApiFailure, asFailure, bodyOf } from './api-failure.ts';
import type { Asking } from './asking.ts';
import { createConversationIndex } from './conversation-index.ts';
import { createConversations, type Conversations } from './conversation-search.ts';
import { createEventStream } from './event-stream.ts';
import type { NetworkServers, NetworkServersOptions } from './network-servers.ts';
import { readBody } from './request-body.ts';
import { tokenOf } from './request-checks.ts';
import { FileAnswer, findRoute } from './route.ts';
import { createSessionSockets } from './session-sockets.ts';
import { openaiRoutes } from './openai-routes.ts';
import { describedRoutes } from './openapi.ts';
import { programRoutes } from './program-routes.ts';

export interface GatewayOptions {
  /** 0 = any free port. */
  port: number;
  /** A new connection to the host, of nobody yet; null = no host runs. */
  connect: () => Promise<Transport | null>;
  clock: Clock;
  /** What went wrong in here. Nothing of any token is in it. */
  onInternalError: (error: unknown) => void;
  /** null = only this machine. */
  network: Pick<NetworkServersOptions, 'authority' | 'machine' | 'onChange'> | null;
  /** Milliseconds in which a request must have come as a whole. */
  requestMs?: number;
}

export interface Gateway {
  port: number;
  /** Resolves when the turns that programs waited for have stopped, or the host does not say so. */
  close(): Promise<void>;
}

const routes = describedRoutes([...openaiRoutes, ...programRoutes]);
const loopback = '127.0.0.1';
/** Whatever else a client offers is not spoken here, so its request is answered as it is. */
const shouldUpgradeCallback = ({ headers }: IncomingMessage): boolean =>
  headers.upgrade?.toLowerCase() === 'websocket';
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, keepAliveTimeout: 5_000 };
const defaultRequestMs = 30_000;
/** A stop takes less; a host that says nothing more is not waited for. */
const stopMs = 3_000;

/** Resolves when it listens; rejects with the error of the system where the port cannot be had. */
export async function serveGateway(options: GatewayOptions): Promise<Gateway> {
  const { clock, network, onInternalError, requestMs = defaultRequestMs } = options;
  const timed = {
    ...limits,
    headersTimeout: Math.min(limits.headersTimeout, requestMs),
    requestTimeout: requestMs,
    connectionsCheckingInterval: Math.min(5_000, requestMs),
    shouldUpgradeCallback,
  };
  const conversations = createConversations(createConversationIndex());
  const isAllowed = createTokenLimits(clock);
  let ownHosts: string[] = [];
  let onNetwork: NetworkServers | undefined;
  const hosts = (): readonly string[] => [...ownHosts, ...(onNetwork?.hosts() ?? [])];
  const sockets = createSessionSockets({
    clock,
    hosts,
    signIn: (token) => signIn(options, token),
    isAllowed,
  });
  const answering = new Set<Promise<void>>();
  const attach = (server: Pick<Server, 'on' | 'maxConnections'>): void => {
    server.maxConnections = maxConnections;
    server.on('request', (request, response) => {
      const answered = answer(request, response, { ...options, hosts, conversations, isAllowed });
      answering.add(answered);
      void answered.then(() => answering.delete(answered));
    });
    server.on('upgrade', (...upgrading) => sockets.upgrade(...upgrading));
  };
  const server = createServer(timed);
  attach(server);
  server.listen(options.port, loopback);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  ownHosts = [`${loopback}:${String(port)}`, `localhost:${String(port)}`];
  if (network) {
    // A gateway for this machine alone starts without its code.
    const { openNetworkServers } = await import('./network-servers.ts');
    const parts = { ...network, port, limits: timed, attach, clock, onError: onInternalError };
    onNetwork = await openNetworkServers(parts);
  }
  return {
    port,
    async close() {
      sockets.close();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await Promise.all([closed, onNetwork?.close()]);
      const late = Promise.withResolvers<void>();
      const timer = clock.after(stopMs, late.resolve);
      await Promise.race([Promise.all(answering), late.promise]);
      timer.cancel();
    },
  };
}

interface Answering extends GatewayOptions {
  /** What a program may write as its Host. */
  hosts: () => readonly string[];
  conversations: Conversations;
  /** One more request of this token is not too many. */
  isAllowed: (token: string) => boolean;
}

/** Never rejects. */
async function answer(request: IncomingMessage, response: ServerResponse, parts: Answering): Promise<void> {
  const stream = createEventStream(response, parts.clock);
  const left = new AbortController();
  response.on('close', () => left.abort());
  let rpc: HostRpc | undefined;
  try {
    const token = tokenOf(request.headers, parts.hosts());
    rpc = await signIn(parts, token);
    // Only now: tokens that are none are not kept in mind.
    if (!parts.isAllowed(token))
      throw new ApiFailure(429, 'rate_limited', 'Too many requests. Try again in a minute.');
    const asking: Asking = {
      rpc,
      token,
      stream,
      conversations: parts.conversations,
      signal: left.signal,
      now: () => parts.clock.now(),
      header: (name) => [request.headers[name]].flat()[0],
    };
    const body = await handle(request, asking);
    if (body instanceof FileAnswer) sendFile(response, body);
    else if (body !== null) send(response, 200, body);
  } catch (error) {
    const failure = asFailure(error);
    if (isFault(failure) && !left.signal.aborted) parts.onInternalError(failure.cause ?? failure);
    if (stream.isOpen()) stream.fail(failure);
    else send(response, failure.status, bodyOf(failure), refusalHeaders(failure));
  } finally {
    rpc?.close();
  }
}

async function handle(request: IncomingMessage, asking: Asking): Promise<object | null> {
  const [path = '/', query] = (request.url ?? '/').split('?');
  const found = findRoute(routes, request.method ?? 'GET', path);
  if (!found) throw new ApiFailure(404, 'unknown_path', 'There is no such address here.');
  const { route, id } = found;
  const body = route.body ? await readBody(request) : undefined;
  return route.handle({ id, query: Object.fromEntries(new URLSearchParams(query)), body }, asking);
}

function createTokenLimits(clock: Pick<Clock, 'monotonic'>): (token: string) => boolean {
  const limits = new Map<string, () => boolean>();
  return (token) => {
    const isAllowed = limits.get(token) ?? createRateLimit(clock, maxRequestsPerMinute);
    limits.set(token, isAllowed);
    return isAllowed();
  };
}

/** The host knows which tokens are good; here they are only passed on. */
async function signIn({ connect }: Pick<GatewayOptions, 'connect'>, token: string): Promise<HostRpc> {
  const transport = await connect();
  if (!transport) throw new AndironError('disconnected', 'Andiron is not running.', 'Start it.');
  const rpc = createRpcClient<HostMethods>(transport);
  try {
    await rpc.call('host/sign-in', { token });
    return rpc;
  } catch (error) {
    rpc.close();
    throw error;
  }
}

/** What the log of Andiron is told; a person who presses Stop wanted just that. */
const isFault = ({ status, code }: ApiFailure): boolean => status >= 500 && code !== 'stopped';

function refusalHeaders({ status, code, hasBegun }: ApiFailure): Record<string, string> {
  return {
    // What is left of the request is not read.
    Connection: 'close',
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    // The same again would end the same, as a budget does not come back within seconds, or be worked on twice.
    ...((hasBegun || code === 'over_budget' || status === 500) && { 'X-Should-Retry': 'false' }),
    ...(code === 'rate_limited' && { 'Retry-After': '60' }),
  };
}

/** Never shown in place: what a tool has made may be a page with scripts. */
function sendFile(response: ServerResponse, { name, bytes }: FileAnswer): void {
  response.writeHead(200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': bytes.length,
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name).replaceAll(/['()*]/g, percent)}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(bytes);
}

const percent = (sign: string): string => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`;

function send(
  response: ServerResponse,
  status: number,
  body: object,
  headers: Record<string, string> = {},
): void {
  const text = JSON.stringify(body);
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
  });
  response.end(text);
}
