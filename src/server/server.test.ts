import { afterEach, beforeEach, expect, test } from 'vitest';
import { forkHost } from '../platform/fork-host.ts';
import { HostStartError } from '../platform/host-channel.ts';
import { silentLog } from '../platform/log.ts';
import { maxFrameBytes } from '../protocol/limits.ts';
import {
  ask,
  echoHost,
  openSignedIn,
  secretFrom,
  serverTests,
  signIn,
  signOut,
  type ServerTests,
} from './testing/server-tests.ts';

let tests: ServerTests;
beforeEach(() => {
  tests = serverTests();
});
afterEach(() => tests.close());

test('the page is served with its types and a strict policy', async () => {
  const { origin } = await tests.start();
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
  const { origin } = await tests.start();
  for (const path of ['/../secret.js', '/%2e%2e/secret.js', '/missing.js', '/assets']) {
    const { status, headers } = await ask(origin + path);
    expect([status, headers['x-content-type-options']]).toEqual([404, 'nosniff']);
  }
  expect((await ask(`${origin}/`, { method: 'POST', headers: { origin } })).status).toBe(405);
});

test('what is answered in words is plain text, and no answer of that kind is kept (audit-A14)', async () => {
  const { origin, token } = await tests.start();
  const words = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' };
  for (const answer of [
    await ask(`${origin}/missing.js`),
    await ask(`${origin}/`, { method: 'POST', headers: { origin } }),
    await signIn(origin, 'wrong'),
  ]) {
    expect(answer.headers).toMatchObject(words);
    expect(answer.body).toMatch(/^\S.*\n$/);
  }
  const left = await signOut(origin, await secretFrom(origin, token));
  expect([left.body, left.headers['content-type']]).toEqual(['', undefined]);
});

test('frames reach the agent host and come back, for several windows at once', async () => {
  const { origin, token } = await tests.start();
  const secret = await secretFrom(origin, token);
  const [a, b] = [await openSignedIn(origin, '/host', secret), await openSignedIn(origin, '/host', secret)];
  a.socket.send('1');
  b.socket.send('{"type":"request"}');
  expect(await a.next(2)).toEqual([{ you: 'window' }, { echo: 1 }]);
  expect(await b.next(2)).toEqual([{ you: 'window' }, { echo: { type: 'request' } }]);
});

test('an exported session with many files comes back in one frame', async () => {
  const { origin, token } = await tests.start();
  const window = await openSignedIn(origin, '/host', await secretFrom(origin, token));
  window.socket.send('{"repeat":50000000}');
  const [, answer] = await window.next(2);
  expect(answer).toEqual({ echo: 'x'.repeat(50_000_000) });
});

test('frames reach the engine, and the agent host is its client', async () => {
  const { origin, token, engine } = await tests.start();
  const window = await openSignedIn(origin, '/engine', await secretFrom(origin, token));
  window.socket.send('"state"');
  expect(await window.next(1)).toEqual([{ engine: 'state' }]);
  await engine.hostCame;
  expect(engine.heard).toContainEqual({ from: 'host' });
});

test('what is not JSON closes the socket', async () => {
  const { origin, token } = await tests.start();
  const window = await openSignedIn(origin, '/engine', await secretFrom(origin, token));
  window.socket.send('not json');
  expect((await window.closed).code).toBe(1007);
});

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

test.each(['/host', '/engine'])(
  'a frame to %s that is nested too deep is answered, and server and socket live on (audit-S12)',
  async (path) => {
    const { origin, token } = await tests.start();
    const window = await openSignedIn(origin, path, await secretFrom(origin, token));
    const greetings = path === '/host' ? 1 : 0;
    // The host greets as soon as it is connected, in its own time.
    await window.next(greetings);
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

const requestOf = (id: number, bytes: number): string =>
  JSON.stringify({ type: 'request', id, method: 'x', params: 'x'.repeat(bytes) });

test('a frame larger than 8 MB is answered as refused, and one of twice that closes its socket alone (audit-S21)', async () => {
  const { origin, token } = await tests.start();
  const secret = await secretFrom(origin, token);
  const [one, other] = [
    await openSignedIn(origin, '/host', secret),
    await openSignedIn(origin, '/host', secret),
  ];
  one.socket.send(requestOf(1, maxFrameBytes - 1_000));
  one.socket.send(requestOf(2, maxFrameBytes));
  one.socket.send('"still here"');
  const answers = (await one.next(4)).slice(1);
  expect(answers).toContainEqual({
    type: 'response',
    id: 2,
    ok: false,
    error: { code: 'invalid_params', message: 'This request was refused: it is larger than 8 MB.' },
  });
  expect(answers).toContainEqual({ echo: 'still here' });
  one.socket.send(requestOf(3, 2 * maxFrameBytes));
  await one.closed;
  other.socket.send('"and here"');
  expect(await other.next(2)).toEqual([{ you: 'window' }, { echo: 'and here' }]);
});

test('a deep frame that is no request is dropped, and the socket lives on (audit-S12)', async () => {
  const { origin, token } = await tests.start();
  const window = await openSignedIn(origin, '/host', await secretFrom(origin, token));
  window.socket.send(nested(5_000));
  window.socket.send('"still here"');
  expect(await window.next(2)).toEqual([{ you: 'window' }, { echo: 'still here' }]);
});

test('when the agent host dies its windows are closed, and the next one meets a new host that has the engine', async () => {
  const { origin, token, engine } = await tests.start();
  const secret = await secretFrom(origin, token);
  const before = await openSignedIn(origin, '/host', secret);
  before.socket.send('"die"');
  await before.closed;
  const after = await openSignedIn(origin, '/host', secret);
  expect(await after.next(1)).toEqual([{ you: 'window' }]);
  expect(engine.hostConnections()).toBe(2);
});

test('a host that cannot start ends the server with its reason', async () => {
  const init = { dataDir: tests.dir, workspace: '/refused', resourcesDir: '/resources' };
  const started = tests.start({ init, createEngine: () => expect.fail('the data folder is not ours') });
  await expect(started).rejects.toThrow(HostStartError);
  await expect(started).rejects.toThrow('No such workspace.');
});

test('a taken port is told with the way out, and the host is stopped again', async () => {
  const { origin } = await tests.start();
  const spawned: ReturnType<typeof forkHost>[] = [];
  const second = tests.start({
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
  const { origin, token, server, engine } = await tests.start();
  const window = await openSignedIn(origin, '/host', await secretFrom(origin, token));
  await window.next(1);
  await server.close();
  await window.closed;
  expect(engine.stopped()).toBe(1);
  await expect(ask(`${origin}/`)).rejects.toThrow(/ECONNREFUSED/);
});
