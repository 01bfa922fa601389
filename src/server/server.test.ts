import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { forkHost } from '../platform/fork-host.ts';
import { HostStartError } from '../platform/host-channel.ts';
import { silentLog } from '../platform/log.ts';
import type { Pipe } from '../platform/pipe.ts';
import { startServer, type RunningServer, type ServerDeps } from './server.ts';

const echoHost = fileURLToPath(new URL('../../test/helpers/echo-host.ts', import.meta.url));

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

let dir: string;
let servers: RunningServer[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-server-'));
  servers = [];
  mkdirSync(join(dir, 'renderer', 'assets'), { recursive: true });
  writeFileSync(join(dir, 'renderer', 'index.html'), '<!doctype html><title>Andiron</title>');
  writeFileSync(join(dir, 'renderer', 'assets', 'index-1.js'), 'export {};');
  writeFileSync(join(dir, 'secret.js'), 'secret');
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(dir, { recursive: true, force: true });
});

async function start(changes: Partial<ServerDeps> = {}) {
  const engine = echoEngine();
  const signIns: string[] = [];
  const server = await startServer({
    init: { dataDir: dir, workspace: '/work', resourcesDir: '/resources' },
    port: 0,
    rendererDir: join(dir, 'renderer'),
    spawnHost: () => forkHost(echoHost, silentLog),
    createEngine: () => engine,
    random: () => crypto.randomUUID(),
    log: silentLog,
    onSignIn: (address) => signIns.push(address),
    onHostLost: () => undefined,
    ...changes,
  });
  servers.push(server);
  const address = new URL(server.address());
  return { server, engine, signIns, origin: address.origin, token: address.hash.slice('#token='.length) };
}

interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** With any headers, which `fetch` would not allow. */
function ask(
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

const signIn = (origin: string, token: string, headers: Record<string, string> = {}): Promise<Answer> => {
  const body = JSON.stringify({ token });
  return ask(`${origin}/session`, {
    method: 'POST',
    headers: { origin, 'content-length': String(body.length), ...headers },
    body,
  });
};

async function cookieFrom(origin: string, token: string): Promise<string> {
  const { headers } = await signIn(origin, token);
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

function open(origin: string, path: string, headers: Record<string, string>) {
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

test('the page is served with its types and a strict policy', async () => {
  const { origin } = await start();
  const page = await ask(`${origin}/`);
  expect(page.status).toBe(200);
  expect(page.body).toContain('<title>Andiron</title>');
  expect(page.headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'content-security-policy': expect.stringContaining(
      "default-src 'none'; script-src 'self'; style-src 'self'",
    ),
  });
  expect((await ask(`${origin}/assets/index-1.js`)).headers['cache-control']).toContain('immutable');
});

test('nothing outside the page is served, and no refusal is without the policy', async () => {
  const { origin } = await start();
  for (const path of ['/../secret.js', '/%2e%2e/secret.js', '/missing.js', '/assets']) {
    const { status, headers } = await ask(origin + path);
    expect([status, headers['x-content-type-options']]).toEqual([404, 'nosniff']);
  }
  expect((await ask(`${origin}/`, { method: 'POST', headers: { origin } })).status).toBe(405);
});

test('a wrong Host or Origin is refused on every kind of request', async () => {
  const { origin, token } = await start();
  const cookie = await cookieFrom(origin, token);
  const evil = { host: 'evil.example', cookie };
  const fromEvil = { origin: 'https://evil.example', cookie };
  expect((await ask(`${origin}/`, { headers: evil })).status).toBe(403);
  expect((await ask(`${origin}/`, { headers: fromEvil })).status).toBe(403);
  expect((await ask(`${origin}/session`, { headers: evil })).status).toBe(403);
  expect((await signIn(origin, token, { origin: 'https://evil.example' })).status).toBe(403);
  expect(await open(origin, '/host', { ...evil, origin }).status).toBe(403);
  expect(await open(origin, '/host', fromEvil).status).toBe(403);
  expect(await open(origin, '/host', { cookie }).status).toBe(403);
  // The same requests as they should be: the refusals above are for the right reason.
  expect((await ask(`${origin}/session`, { headers: { cookie } })).status).toBe(204);
  expect(await open(origin, '/host', { origin, cookie }).status).toBe(101);
});

test('a socket without the cookie is refused, and so is one to nowhere', async () => {
  const { origin, token } = await start();
  expect(await open(origin, '/host', { origin }).status).toBe(401);
  expect(await open(origin, '/engine', { origin, cookie: 'andiron_1=x' }).status).toBe(401);
  const cookie = await cookieFrom(origin, token);
  expect(await open(origin, '/elsewhere', { origin, cookie }).status).toBe(404);
});

test('the token is good once; the next one is told', async () => {
  const { origin, token, signIns } = await start();
  expect((await signIn(origin, 'wrong')).status).toBe(401);
  expect((await signIn(origin, token)).status).toBe(204);
  expect((await signIn(origin, token)).status).toBe(401);
  expect(signIns).toHaveLength(1);
  const next = new URL(signIns[0] ?? '').hash.slice('#token='.length);
  expect((await signIn(origin, next)).status).toBe(204);
});

test.each(['', '{', '{"token":7}', `{"token":"${'x'.repeat(2000)}"}`])('%s is no sign-in', async (body) => {
  const { origin } = await start();
  const headers = { origin, 'content-length': String(body.length) };
  expect((await ask(`${origin}/session`, { method: 'POST', headers, body })).status).toBe(401);
});

test('frames reach the agent host and come back, for several windows at once', async () => {
  const { origin, token } = await start();
  const cookie = await cookieFrom(origin, token);
  const [a, b] = [open(origin, '/host', { origin, cookie }), open(origin, '/host', { origin, cookie })];
  await Promise.all([a.status, b.status]);
  a.socket.send('1');
  b.socket.send('{"type":"request"}');
  expect(await a.next(2)).toEqual([{ you: 'window' }, { echo: 1 }]);
  expect(await b.next(2)).toEqual([{ you: 'window' }, { echo: { type: 'request' } }]);
});

test('an exported session with many files comes back in one frame', async () => {
  const { origin, token } = await start();
  const window = open(origin, '/host', { origin, cookie: await cookieFrom(origin, token) });
  await window.status;
  const session = 'x'.repeat(50_000_000);
  window.socket.send(JSON.stringify(session));
  const [, answer] = await window.next(2);
  expect(answer).toEqual({ echo: session });
});

test('frames reach the engine, and the agent host is its client', async () => {
  const { origin, token, engine } = await start();
  const cookie = await cookieFrom(origin, token);
  const window = open(origin, '/engine', { origin, cookie });
  await window.status;
  window.socket.send('"state"');
  expect(await window.next(1)).toEqual([{ engine: 'state' }]);
  await engine.hostCame;
  expect(engine.heard).toContainEqual({ from: 'host' });
});

test('what is not JSON closes the socket', async () => {
  const { origin, token } = await start();
  const cookie = await cookieFrom(origin, token);
  const window = open(origin, '/engine', { origin, cookie });
  await window.status;
  window.socket.send('not json');
  expect((await window.closed).code).toBe(1007);
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each(['/host', '/engine'])(
  'a frame to %s that is nested too deep is answered, and server and socket live on (audit-S12)',
  async (path) => {
    const { origin, token } = await start();
    const window = open(origin, path, { origin, cookie: await cookieFrom(origin, token) });
    await window.status;
    const greetings = path === '/host' ? 1 : 0;
    for (const levels of [5_000, 2_000_000]) {
      window.socket.send(`{"type":"request","id":${String(levels)},"method":"x","params":${nested(levels)}}`);
    }
    // The frame itself is one level: 64 are passed on, 65 are not.
    window.socket.send(`{"type":"request","id":65,"method":"x","params":${nested(64)}}`);
    window.socket.send(`{"type":"request","id":64,"method":"x","params":${nested(63)}}`);
    const answers = (await window.next(greetings + 4)).slice(greetings);
    for (const [index, id] of [5_000, 2_000_000, 65].entries()) {
      expect(answers[index]).toMatchObject({
        type: 'response',
        id,
        ok: false,
        error: { code: 'invalid_params' },
      });
    }
    expect(JSON.stringify(answers[3])).toContain(nested(63));
    expect((await ask(`${origin}/`)).status).toBe(200);
  },
);

test('a deep frame that is no request is dropped, and the socket lives on (audit-S12)', async () => {
  const { origin, token } = await start();
  const window = open(origin, '/host', { origin, cookie: await cookieFrom(origin, token) });
  await window.status;
  window.socket.send(nested(5_000));
  window.socket.send('"still here"');
  expect(await window.next(2)).toEqual([{ you: 'window' }, { echo: 'still here' }]);
});

test('when the agent host dies its windows are closed, and the next one meets a new host that has the engine', async () => {
  const { origin, token, engine } = await start();
  const cookie = await cookieFrom(origin, token);
  const before = open(origin, '/host', { origin, cookie });
  await before.status;
  before.socket.send('"die"');
  await before.closed;
  const after = open(origin, '/host', { origin, cookie });
  expect(await after.next(1)).toEqual([{ you: 'window' }]);
  expect(engine.hostConnections()).toBe(2);
});

test('a host that cannot start ends the server with its reason', async () => {
  const init = { dataDir: dir, workspace: '/refused', resourcesDir: '/resources' };
  const started = start({ init, createEngine: () => expect.fail('the data folder is not ours') });
  await expect(started).rejects.toThrow(HostStartError);
  await expect(started).rejects.toThrow('No such workspace.');
});

test('a taken port is told with the way out, and the host is stopped again', async () => {
  const { origin } = await start();
  const spawned: ReturnType<typeof forkHost>[] = [];
  const second = start({
    port: Number(new URL(origin).port),
    spawnHost: () => {
      const host = forkHost(echoHost, silentLog);
      spawned.push(host);
      return host;
    },
  });
  await expect(second).rejects.toMatchObject({
    name: 'HostStartError',
    message: `Another program uses port ${new URL(origin).port}.`,
    advice: expect.stringContaining('--port') as string,
  });
  expect(spawned).toHaveLength(1);
});

test('closing ends sockets, host and engine', async () => {
  const { origin, token, server, engine } = await start();
  const cookie = await cookieFrom(origin, token);
  const window = open(origin, '/host', { origin, cookie });
  await window.next(1);
  await server.close();
  await window.closed;
  expect(engine.stopped()).toBe(1);
  await expect(ask(`${origin}/`)).rejects.toThrow(/ECONNREFUSED/);
});
