/** The headless server as tests have it, and a page's side of it without a browser. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocket } from 'ws';
import { forkHost } from '../../platform/fork-host.ts';
import { silentLog } from '../../platform/log.ts';
import type { Pipe } from '../../platform/pipe.ts';
import { startServer, type RunningServer, type ServerDeps } from '../server.ts';

export const echoHost = fileURLToPath(new URL('../../../test/helpers/echo-host.ts', import.meta.url));

/** Answers every frame with the frame; `heard` has what the agent host said. */
function echoEngine() {
  const heard: unknown[] = [];
  let hostConnections = 0;
  const hostCame = Promise.withResolvers<void>();
  let stopped = 0;
  return {
    heard,
    hostCame: hostCame.promise,
    hostConnections: () => hostConnections,
    stopped: () => stopped,
    connect(pipe: Pipe) {
      pipe.onFrame((frame) => {
        heard.push(frame);
        if (typeof frame === 'object' && frame !== null && 'from' in frame) {
          hostConnections++;
          hostCame.resolve();
        } else pipe.send({ engine: frame });
      });
    },
    stop: () => Promise.resolve(void stopped++),
  };
}

export interface ServerTests {
  dir: string;
  start(changes?: Partial<ServerDeps>): Promise<Started>;
  close(): Promise<void>;
}

interface Started {
  server: RunningServer;
  engine: ReturnType<typeof echoEngine>;
  /** The addresses that were told after each of them. */
  signIns: string[];
  signOuts: string[];
  origin: string;
  token: string;
}

/** A page to serve, an echoing host and engine behind it, and whatever is started of them. */
export function serverTests(): ServerTests {
  const dir = mkdtempSync(join(tmpdir(), 'andiron-server-'));
  const servers: RunningServer[] = [];
  mkdirSync(join(dir, 'renderer', 'assets'), { recursive: true });
  writeFileSync(join(dir, 'renderer', 'index.html'), '<!doctype html><title>Andiron</title>');
  writeFileSync(join(dir, 'renderer', 'assets', 'index-1.js'), 'export {};');
  writeFileSync(join(dir, 'secret.js'), 'secret');
  return {
    dir,
    start: (changes) => start(dir, servers, changes),
    async close() {
      await Promise.all(servers.map((server) => server.close()));
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

async function start(
  dir: string,
  servers: RunningServer[],
  changes: Partial<ServerDeps> = {},
): Promise<Started> {
  const engine = echoEngine();
  const signIns: string[] = [];
  const signOuts: string[] = [];
  const server = await startServer({
    init: { dataDir: dir, workspace: '/work', resourcesDir: '/resources' },
    port: 0,
    rendererDir: join(dir, 'renderer'),
    spawnHost: () => forkHost(echoHost, silentLog),
    spawnBridge: () => {
      throw new Error('no bridge here');
    },
    createEngine: () => engine,
    random: () => crypto.randomUUID(),
    log: silentLog,
    onSignIn: (address) => signIns.push(address),
    onSignOut: (address) => signOuts.push(address),
    onHostLost: () => undefined,
    ...changes,
  });
  servers.push(server);
  const address = new URL(server.address() ?? '');
  return { server, engine, signIns, signOuts, origin: address.origin, token: tokenOf(address.href) };
}

export const tokenOf = (address: string): string => new URL(address).hash.slice('#token='.length);

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** With any headers, which `fetch` would not allow. */
export function ask(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      const parts: Buffer[] = [];
      response.on('data', (part: Buffer) => parts.push(part));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(parts).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

export const signIn = (
  origin: string,
  token: string,
  headers: Record<string, string> = {},
): Promise<Answer> => {
  const body = JSON.stringify({ token });
  return ask(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'content-length': String(body.length), ...headers },
    body,
  });
};

export async function secretFrom(origin: string, token: string): Promise<string> {
  const { body } = await signIn(origin, token);
  return (JSON.parse(body) as { secret: string }).secret;
}

export const signOut = (origin: string, secret: string): Promise<Answer> =>
  ask(`${origin}/session`, { method: 'DELETE', headers: { origin, authorization: `Bearer ${secret}` } });

export function open(origin: string, path: string, headers: Record<string, string>) {
  const socket = new WebSocket(origin.replace('http', 'ws') + path, { headers });
  const frames: unknown[] = [];
  const waiting: (() => void)[] = [];
  socket.on('message', (data) => {
    frames.push(JSON.parse((data as Buffer).toString()));
    for (const look of waiting.splice(0)) look();
  });
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }));
  });
  /** The status of a refused handshake, or 101. */
  const status = new Promise<number>((resolve) => {
    socket.on('open', () => resolve(101));
    socket.on('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
  });
  socket.on('error', () => undefined);
  const next = async (count: number): Promise<unknown[]> => {
    while (frames.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    return frames.slice(0, count);
  };
  return { socket, status, closed, next };
}

/** As a page does it: the secret is the first frame. */
export async function openSignedIn(origin: string, path: string, secret: string) {
  const opened = open(origin, path, { origin });
  await opened.status;
  opened.socket.send(JSON.stringify({ type: 'sign-in', secret }));
  return opened;
}
