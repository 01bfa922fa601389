/** Who is let in by the headless server, for how long, and how many of them. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { skippableClock } from '../../test/helpers/skippable-clock.ts';
import { signedOutCode } from '../protocol/frames.ts';
import {
  maxConnections,
  maxRequestsPerMinute,
  maxSessionMs,
  maxSignInBytes,
  maxSignInMs,
} from '../protocol/limits.ts';
import {
  ask,
  open,
  openSignedIn,
  secretFrom,
  serverTests,
  signIn,
  signOut,
  tokenOf,
  type ServerTests,
} from './testing/server-tests.ts';

let tests: ServerTests;
beforeEach(() => {
  tests = serverTests();
});
afterEach(() => tests.close());

test('a wrong Host or Origin is refused on every kind of request', async () => {
  const { origin, token } = await tests.start();
  const secret = await secretFrom(origin, token);
  const evil = { host: 'evil.example' };
  const fromEvil = { origin: 'https://evil.example' };
  expect((await ask(`${origin}/`, { headers: evil })).status).toBe(403);
  expect((await ask(`${origin}/`, { headers: fromEvil })).status).toBe(403);
  expect((await signIn(origin, token, evil)).status).toBe(403);
  expect((await signIn(origin, token, fromEvil)).status).toBe(403);
  const bearer = { authorization: `Bearer ${secret}` };
  const leave = { method: 'DELETE', headers: { ...fromEvil, ...bearer } };
  expect((await ask(`${origin}/session`, leave)).status).toBe(403);
  expect(await open(origin, '/host', { ...evil, origin }).status).toBe(403);
  expect(await open(origin, '/host', fromEvil).status).toBe(403);
  expect(await open(origin, '/host', {}).status).toBe(403);
  // The same requests as they should be: the refusals above are for the right reason.
  expect(await (await openSignedIn(origin, '/host', secret)).next(1)).toEqual([{ you: 'window' }]);
  expect((await signOut(origin, secret)).status).toBe(204);
});

test('no answer sets a cookie, because cookies go to every port of this machine (audit-S3)', async () => {
  const { origin, token } = await tests.start();
  const answers = [await ask(`${origin}/`), await signIn(origin, token), await signIn(origin, token)];
  expect(answers.map(({ headers }) => headers['set-cookie'])).toEqual([undefined, undefined, undefined]);
});

test.each([
  ['nothing that is a sign-in', '{"type":"request","id":1,"method":"host/subscribe"}'],
  ['a wrong secret', '{"type":"sign-in","secret":"wrong"}'],
  ['no secret', '{"type":"sign-in"}'],
  ['a secret that is none', '{"type":"sign-in","secret":{"length":36}}'],
  ['no JSON', 'secret'],
  ['a deep frame', '['.repeat(50_000)],
])('a socket that first says %s reaches nobody and is closed (audit-S3)', async (_, first) => {
  const { origin, token, engine } = await tests.start();
  await secretFrom(origin, token);
  for (const path of ['/host', '/engine']) {
    const socket = open(origin, path, { origin });
    await socket.status;
    socket.socket.send(first);
    socket.socket.send('"and then"');
    expect(await socket.closed).toMatchObject({ code: signedOutCode });
  }
  expect(engine.heard).not.toContain('and then');
});

test('the token of the address opens no socket, and neither does a cookie (audit-S3)', async () => {
  const { origin, token } = await tests.start();
  const socket = open(origin, '/host', { origin, cookie: `andiron=${token}` });
  await socket.status;
  socket.socket.send(JSON.stringify({ type: 'sign-in', secret: token }));
  expect(await socket.closed).toMatchObject({ code: signedOutCode });
});

test('frames that follow the sign-in at once are all heard', async () => {
  const { origin, token } = await tests.start();
  const window = await openSignedIn(origin, '/host', await secretFrom(origin, token));
  for (const number of [1, 2, 3]) window.socket.send(String(number));
  expect(await window.next(4)).toEqual([{ you: 'window' }, { echo: 1 }, { echo: 2 }, { echo: 3 }]);
});

test('a socket to nowhere is refused', async () => {
  const { origin } = await tests.start();
  expect(await open(origin, '/elsewhere', { origin }).status).toBe(404);
});

test('a socket that does not sign in within five seconds is cut off (audit-S28)', async () => {
  const clock = skippableClock();
  const { origin, token } = await tests.start({ clock });
  const known = await openSignedIn(origin, '/host', await secretFrom(origin, token));
  await known.next(1);
  const silent = open(origin, '/host', { origin });
  await silent.status;
  clock.skip(maxSignInMs - 1_000);
  expect(silent.socket.readyState).toBe(WebSocket.OPEN);
  clock.skip(1_000);
  expect(await silent.closed).toMatchObject({ code: 1006 });
  expect(known.socket.readyState).toBe(WebSocket.OPEN);
});

test('a stranger cannot make the server keep much: beyond the limit it is cut off (audit-S28)', async () => {
  const { origin } = await tests.start();
  const stranger = open(origin, '/host', { origin });
  await stranger.status;
  stranger.socket.send('x'.repeat(4 * maxSignInBytes));
  expect(await stranger.closed).toMatchObject({ code: 1006 });
});

test.each([
  ['as many bytes as the limit is answered', maxSignInBytes, signedOutCode],
  ['one byte more is cut off', maxSignInBytes + 1, 1006],
])('a stranger whose first frame takes %s (audit-A14)', async (_, bytes, code) => {
  const { origin } = await tests.start();
  const stranger = open(origin, '/host', { origin });
  await stranger.status;
  // Of which the head of the frame takes 14.
  stranger.socket.send('x'.repeat(bytes - 14));
  expect(await stranger.closed).toMatchObject({ code });
});

test('signing out everywhere closes every socket, and only the new address lets one in (audit-S28)', async () => {
  const { origin, token, server, signOuts } = await tests.start();
  const first = await secretFrom(origin, token);
  const second = await secretFrom(origin, tokenOf(server.address() ?? ''));
  const printed = tokenOf(server.address() ?? '');
  const sockets = await Promise.all([first, second].map((secret) => openSignedIn(origin, '/host', secret)));
  await Promise.all(sockets.map((each) => each.next(1)));
  expect((await signOut(origin, 'wrong')).status).toBe(401);
  expect((await signOut(origin, second)).status).toBe(204);
  for (const { closed } of sockets) expect(await closed).toMatchObject({ code: signedOutCode });
  expect((await signOut(origin, first)).status).toBe(401);
  expect((await signIn(origin, printed)).status).toBe(401);
  expect(signOuts).toEqual([server.address()]);
  expect((await signIn(origin, tokenOf(server.address() ?? ''))).status).toBe(200);
});

test('a page whose socket is closed is told whether it was signed out or never signed in (audit-A14)', async () => {
  const { origin, token } = await tests.start();
  const secret = await secretFrom(origin, token);
  const known = await openSignedIn(origin, '/host', secret);
  const stranger = await openSignedIn(origin, '/host', 'wrong');
  await known.next(1);
  expect(await stranger.closed).toMatchObject({ reason: 'This page is not signed in.' });
  await signOut(origin, secret);
  expect(await known.closed).toMatchObject({ reason: 'This page was signed out.' });
});

test('a socket is closed soon after its session has ended (audit-S28)', async () => {
  const clock = skippableClock();
  const { origin, token } = await tests.start({ clock });
  const window = await openSignedIn(origin, '/host', await secretFrom(origin, token));
  await window.next(1);
  // At once: hour by hour the silent host would be taken for dead.
  clock.skip(maxSessionMs - 60_000);
  expect(window.socket.readyState).toBe(WebSocket.OPEN);
  clock.skip(60 * 60_000);
  expect(await window.closed).toMatchObject({ code: signedOutCode });
});

test('there are as many connections as the limit, and one more is refused (audit-S28)', async () => {
  const { origin } = await tests.start();
  const port = Number(new URL(origin).port);
  const held = await Promise.all(
    Array.from({ length: maxConnections }, async () => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  const one = connect(port, '127.0.0.1');
  one.on('error', () => undefined);
  await once(one, 'close');
  expect(held.every(({ closed }) => !closed)).toBe(true);
  const [first] = held;
  first?.destroy();
  await vi.waitFor(async () => expect((await ask(`${origin}/`)).status).toBe(200), 60_000);
  for (const socket of held) socket.destroy();
});

test('sign-ins and sockets are limited per minute, the page itself is not (audit-S28)', async () => {
  const clock = skippableClock();
  const { origin, token } = await tests.start({ clock });
  for (let asked = 0; asked < maxRequestsPerMinute; asked += 1) {
    expect((await signIn(origin, 'guess')).status).toBe(401);
  }
  expect((await signIn(origin, token)).status).toBe(429);
  expect(await open(origin, '/host', { origin }).status).toBe(429);
  expect((await ask(`${origin}/`)).status).toBe(200);
  clock.skip(60_000);
  expect((await signIn(origin, token)).status).toBe(200);
});

test('the token is good once; the next one is told', async () => {
  const { origin, token, signIns } = await tests.start();
  expect((await signIn(origin, 'wrong')).status).toBe(401);
  expect((await signIn(origin, token)).status).toBe(200);
  expect((await signIn(origin, token)).status).toBe(401);
  expect(signIns).toHaveLength(1);
  expect((await signIn(origin, tokenOf(signIns[0] ?? ''))).status).toBe(200);
});

test.each(['', '{', '{"token":7}', `{"token":"${'x'.repeat(2000)}"}`])('%s is no sign-in', async (body) => {
  const { origin } = await tests.start();
  const headers = { origin, 'content-length': String(body.length) };
  expect((await ask(`${origin}/session`, { method: 'POST', headers, body })).status).toBe(401);
});
