/**
 * `WS /v1/sessions/{id}`: the events of a session, with their numbers. The token comes in the first frame and never in
 * the address, which logs keep. Nothing else is read from the program.
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { HostRpc } from '../cli/host-rpc.ts';
import type { Clock } from '../platform/clock.ts';
import { parseJson } from '../protocol/json.ts';
import { maxFrameBytes, maxSignInMs } from '../protocol/limits.ts';
import { ApiFailure, asFailure } from './api-failure.ts';
import { signInFrameSchema } from './feed-form.ts';
import { checkAddress, checkToken } from './request-checks.ts';
import { createSessionFeed, type FeedPosition, type Reader, type SessionFeed } from './session-feed.ts';

export interface SessionSocketsDeps {
  clock: Clock;
  /** What a program may write as its Host. */
  hosts: () => readonly string[];
  signIn: (token: string) => Promise<HostRpc>;
  /** One more request of this token is not too many. */
  isAllowed: (token: string) => boolean;
}

export interface SessionSockets {
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  close(): void;
}

/** Of a sign-in, the only frame that is read. */
const maxPayload = 4 * 1024;
/** Of one token, in all of its sessions. */
const maxSockets = 32;
/** Half of it is how long a lost connection is taken for a good one. */
const pingMs = 30_000;

export function createSessionSockets({
  clock,
  hosts,
  signIn,
  isAllowed,
}: SessionSocketsDeps): SessionSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload, perMessageDeflate: false });
  const feeds = new Map<string, SessionFeed>();
  const counts = new Map<string, number>();

  /** Every socket signs in for itself: what another one was allowed says nothing. */
  const openFeed = async (token: string, sessionId: string): Promise<SessionFeed> => {
    const rpc = await signIn(token);
    const key = `${token} ${sessionId}`;
    const known = feeds.get(key);
    if (known) {
      rpc.close();
      return known;
    }
    const feed = createSessionFeed({ rpc, sessionId, clock, onClose: () => void feeds.delete(key) });
    feeds.set(key, feed);
    return feed;
  };

  const serve = async (socket: WebSocket, sessionId: string, first: string): Promise<void> => {
    const { token, position } = readSignIn(first);
    const count = counts.get(token) ?? 0;
    if (count >= maxSockets)
      throw new ApiFailure(429, 'rate_limited', `A token can have ${String(maxSockets)} sockets.`);
    counts.set(token, count + 1);
    socket.once('close', () => {
      const left = (counts.get(token) ?? 1) - 1;
      if (left === 0) counts.delete(token);
      else counts.set(token, left);
    });
    const feed = await openFeed(token, sessionId);
    if (!isAllowed(token))
      throw new ApiFailure(429, 'rate_limited', 'Too many requests. Try again in a minute.');
    const reader: Reader = {
      send: (frame) => write(socket, frame),
      onEnd: () => socket.close(1001, 'The connection to Andiron has ended.'),
    };
    socket.once('close', () => feed.leave(reader));
    await feed.join(reader, position);
    if (socket.readyState !== socket.OPEN) feed.leave(reader);
  };

  const receive = (socket: WebSocket, sessionId: string): void => {
    const late = clock.after(maxSignInMs, () => refuse(socket, new ApiFailure(401, 'no_token', noSignIn)));
    socket.on('error', () => socket.terminate());
    socket.once('close', () => late.cancel());
    socket.once('message', (data, isBinary) => {
      late.cancel();
      socket.on('message', () => refuse(socket, new ApiFailure(400, 'invalid_params', onlySignIn)));
      const first = isBinary || !Buffer.isBuffer(data) ? '' : data.toString();
      serve(socket, sessionId, first).catch((error: unknown) => refuse(socket, asFailure(error)));
    });
    keepAlive(socket, clock);
  };

  return {
    upgrade(request, socket, head) {
      const sessionId = /^\/v1\/sessions\/(?<id>[\w-]{1,200})$/.exec(request.url ?? '')?.groups?.['id'];
      try {
        checkAddress(request.headers, hosts());
        if (sessionId === undefined)
          throw new ApiFailure(404, 'unknown_path', 'There is no such socket here.');
        server.handleUpgrade(request, socket, head, (client) => receive(client, sessionId));
      } catch (error) {
        const { status } = asFailure(error);
        socket.on('error', () => socket.destroy());
        socket.end(`HTTP/1.1 ${String(status)} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
      }
    },
    close() {
      for (const socket of server.clients) socket.terminate();
      for (const feed of feeds.values()) feed.close();
    },
  };
}

const noSignIn = 'The first frame is a sign-in with a token.';
const onlySignIn = 'Nothing is read here but the sign-in.';

function readSignIn(text: string): { token: string; position: FeedPosition | null } {
  const frame = signInFrameSchema.safeParse(parse(text)).data;
  if (!frame) throw new ApiFailure(401, 'no_token', noSignIn);
  const { token, epoch, after } = frame;
  const position = epoch !== undefined && after !== undefined ? { epoch, after } : null;
  return { token: checkToken(token), position };
}

function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

function write(socket: WebSocket, frame: string): void {
  // Whoever does not read would have all of it kept here; it comes back for what it missed.
  if (socket.bufferedAmount > maxFrameBytes) socket.terminate();
  else socket.send(frame);
}

/** With the status of HTTP behind 4, since a browser’s socket is told nothing else. */
function refuse(socket: WebSocket, { status, code, message }: ApiFailure): void {
  if (socket.readyState !== socket.OPEN) return;
  socket.send(JSON.stringify({ type: 'error', error: { code, message } }));
  socket.close(4_000 + status, code);
}

/** Ends a socket whose other end is gone without a word. */
function keepAlive(socket: WebSocket, clock: Pick<Clock, 'after'>): void {
  let isHeard = true;
  const check = () =>
    clock.after(pingMs, () => {
      if (!isHeard) return socket.terminate();
      isHeard = false;
      socket.ping();
      next = check();
    });
  let next = check();
  socket.on('pong', () => (isHeard = true));
  socket.once('close', () => next.cancel());
}
