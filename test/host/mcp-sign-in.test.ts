/** Signing in to a server of tools: in the person's browser, against an authorization server on this computer. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { maxSignInMs } from '../../src/host/mcp/sign-ins.ts';
import type { McpServer } from '../../src/protocol/mcp-methods.ts';
import type { Window } from '../helpers/host-world.ts';
import { GuardedServer } from '../helpers/mcp/guarded-server.ts';
import { McpWorld, obedient, openSandboxForTests, toolCall, wanting } from '../helpers/mcp/mcp-world.ts';
import { skippableClock, type SkippableClock } from '../helpers/skippable-clock.ts';

let guarded: GuardedServer;
let clock: SkippableClock;
let world: McpWorld;
let window: Window;
beforeEach(async () => {
  guarded = await GuardedServer.start();
  clock = skippableClock();
  world = await McpWorld.start(openSandboxForTests, obedient, clock);
  await open();
});
afterEach(async () => {
  await world.close();
  await guarded.close();
});

let changes: (() => void)[];
async function open(): Promise<void> {
  changes = [];
  window = world.world.openWindow();
  window.rpc.onEvent((topic, _seq, event) => {
    if (topic !== 'host' || (event as { type: string }).type !== 'mcp/changed') return;
    for (const ring of changes.splice(0)) ring();
  });
  await window.rpc.call('host/subscribe', {});
}

const listed = async (): Promise<McpServer | undefined> =>
  (await window.rpc.call('mcp/list', {})).servers.find(({ name }) => name === 'tickets');
/** Resolves with the server as soon as it is so; looks again with everything that is told of it. */
async function until(isSo: (server: McpServer) => boolean): Promise<McpServer> {
  for (;;) {
    const next = new Promise<void>((resolve) => changes.push(resolve));
    const server = await listed();
    if (server && isSo(server)) return server;
    await next;
  }
}

const add = async (): Promise<McpServer | undefined> =>
  (await world.add({ tickets: { url: guarded.url } }))[0];
const begin = async (): Promise<string> => (await window.rpc.call('mcp/sign-in', { name: 'tickets' })).url;
/** Where the browser is sent back to, after the person said yes on the page. */
async function answerOf(page: string): Promise<URL> {
  const { headers } = await fetch(page, { redirect: 'manual' });
  return new URL(headers.get('location') ?? '');
}
async function signIn(): Promise<McpServer> {
  await fetch(await answerOf(await begin()));
  return until(({ signIn: standing, state }) => standing?.state === 'signed_in' && state.state === 'ready');
}
const secretsPath = (): string => join(world.world.dir, 'data', 'sign-ins.json');

async function callTool(): Promise<string | undefined> {
  const session = await world.session();
  const turnId = await session.send(wanting(toolCall('tickets.who')));
  await session.answer('allow');
  await session.closed(turnId);
  return session.items('tool')[0]?.result;
}

test('A server that wants a sign-in says so, and nothing is begun before the person does (X8)', async () => {
  const server = await add();
  expect(server?.signIn).toEqual({ state: 'needed', problem: null });
  expect(server?.state).toMatchObject({ state: 'failed', isFinal: true });
  expect(guarded.registrations).toBe(0);
});

test('After the sign-in in the browser its tools are known and called, after a restart too (X8)', async () => {
  await add();
  const server = await signIn();
  expect(server.tools.map(({ name }) => name)).toEqual(['who']);
  await world.world.restartHost();
  await open();
  expect((await listed())?.signIn?.state).toBe('signed_in');
  expect(await callTool()).toBe('You are in.');
  expect(guarded.tokenRequests).toEqual([{ grant: 'authorization_code', isGranted: true }]);
});

test('What was granted is in a file of this person alone, and never in a list', async () => {
  await add();
  const server = await signIn();
  expect(statSync(secretsPath()).mode & 0o077).toBe(0);
  expect(readFileSync(secretsPath(), 'utf8')).toContain('access-');
  expect(JSON.stringify(server)).not.toContain('access-');
});

test.each([
  ['signs out', 'mcp/sign-out'],
  ['removes the server', 'mcp/remove'],
] as const)('Nothing that was granted is left after the person %s', async (_, method) => {
  await add();
  await signIn();
  await window.rpc.call(method, { name: 'tickets' });
  expect(readFileSync(secretsPath(), 'utf8')).not.toContain('access-');
  if (method === 'mcp/remove') await add();
  else await window.rpc.call('mcp/refresh', { name: 'tickets' });
  expect((await listed())?.signIn?.state).toBe('needed');
});

test('An answer with another state is turned away, and the sign-in goes on', async () => {
  await add();
  const page = await begin();
  const forged = await answerOf(page);
  forged.searchParams.set('state', 'x'.repeat(43));
  expect((await fetch(forged)).status).toBe(400);
  expect(guarded.tokenRequests).toEqual([]);
  await fetch(await answerOf(page));
  await until(({ signIn: standing }) => standing?.state === 'signed_in');
});

test('An answer counts once: nobody listens when it comes again', async () => {
  await add();
  const answer = await answerOf(await begin());
  await fetch(answer);
  await until(({ signIn: standing }) => standing?.state === 'signed_in');
  await expect(fetch(answer)).rejects.toThrow('fetch failed');
  expect(guarded.tokenRequests).toHaveLength(1);
});

test('A code that the server has redeemed before signs nobody in', async () => {
  await add();
  const page = await begin();
  const answer = await answerOf(page);
  const token = new URLSearchParams({
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
  });
  await fetch(`${guarded.origin}/token`, { method: 'POST', body: token });
  await fetch(answer);
  const server = await until(({ signIn: standing }) => standing?.problem !== null);
  expect(server.signIn?.state).toBe('needed');
});

test.each([
  ['from another issuer', () => (guarded.iss = 'https://issuer.example')],
  ['that does not say whom it is from, though its issuer always does', undefined],
])('An answer %s signs nobody in, and its code is not redeemed', async (_, change) => {
  await add();
  const page = await begin();
  change?.();
  const answer = await answerOf(page);
  if (!change) answer.searchParams.delete('iss');
  await fetch(answer);
  const server = await until(({ signIn: standing }) => standing?.problem !== null);
  expect(server.signIn).toMatchObject({ state: 'needed' });
  expect(guarded.tokenRequests).toEqual([]);
});

test('An authorization server whose metadata names another issuer is not used', async () => {
  await add();
  guarded.issuer = 'https://issuer.example';
  await expect(begin()).rejects.toThrow('could not be signed in');
  expect(guarded.registrations).toBe(0);
});

test('A refusal of the person in the browser is said, and leaves them signed out', async () => {
  await add();
  const answer = await answerOf(await begin());
  answer.searchParams.delete('code');
  answer.searchParams.set('error', 'access_denied');
  await fetch(answer);
  const server = await until(({ signIn: standing }) => standing?.problem !== null);
  expect(server.signIn?.problem).toContain('access_denied');
});

test('What has expired is renewed without the person, and what renews it the next time is kept', async () => {
  await add();
  await signIn();
  guarded.expire();
  expect(await callTool()).toBe('You are in.');
  const renewed = { grant: 'refresh_token', isGranted: true };
  expect(guarded.tokenRequests.slice(1)).toEqual([renewed]);
  await world.world.restartHost();
  await open();
  guarded.expire();
  expect(await callTool()).toBe('You are in.');
  expect(guarded.tokenRequests.slice(1)).toEqual([renewed, renewed]);
});

test('What can no longer be renewed asks the person again, and a call says so', async () => {
  await add();
  await signIn();
  guarded.revoke();
  expect(await callTool()).toContain('wants you to sign in');
  expect((await listed())?.signIn?.state).toBe('needed');
});

test('A renewal that meets a fault asks nobody to sign in, and is tried again', async () => {
  await add();
  await signIn();
  guarded.expire();
  guarded.tokenFault = 503;
  expect(await callTool()).toContain('could not be renewed');
  expect(await listed()).toMatchObject({
    signIn: { state: 'signed_in' },
    state: { state: 'failed', isFinal: false },
  });
  guarded.tokenFault = null;
  clock.skip(1_000);
  await until(({ state }) => state.state === 'ready');
  expect(await callTool()).toBe('You are in.');
});

test('A renewal that succeeds after it was refused no longer asks the person', async () => {
  await add();
  await signIn();
  guarded.expire();
  guarded.tokenFault = 403;
  expect(await callTool()).toContain('wants you to sign in');
  expect((await listed())?.signIn?.state).toBe('needed');
  guarded.tokenFault = null;
  await window.rpc.call('mcp/refresh', { name: 'tickets' });
  expect(await listed()).toMatchObject({ signIn: { state: 'signed_in' }, state: { state: 'ready' } });
});

test('A renewal does not answer a server that wants more than was granted', async () => {
  await add();
  await signIn();
  guarded.wantedScope = 'tickets.write';
  await callTool();
  expect((await listed())?.signIn?.state).toBe('needed');
  guarded.expire();
  await window.rpc.call('mcp/refresh', { name: 'tickets' });
  expect(guarded.tokenRequests.at(-1)).toEqual({ grant: 'refresh_token', isGranted: true });
  expect((await listed())?.signIn?.state).toBe('needed');
});

test('There is one attempt at a time: a newer one ends the older one', async () => {
  await add();
  const older = await answerOf(await begin());
  const newer = await answerOf(await begin());
  await expect(fetch(older)).rejects.toThrow('fetch failed');
  await fetch(newer);
  await until(({ signIn: standing }) => standing?.state === 'signed_in');
});

test('An attempt that nobody finishes ends after five minutes, and its page is closed', async () => {
  await add();
  const answer = await answerOf(await begin());
  expect((await listed())?.signIn?.state).toBe('waiting');
  clock.skip(maxSignInMs);
  const server = await until(({ signIn: standing }) => standing?.state === 'needed');
  expect(server.signIn?.problem).toContain('within five minutes');
  await expect(fetch(answer)).rejects.toThrow('fetch failed');
});

test('What was granted is not sent to another address that stands under the same name', async () => {
  await add();
  await signIn();
  const other = await GuardedServer.start();
  try {
    const path = join(world.world.dir, 'data', 'mcp.json');
    writeFileSync(path, readFileSync(path, 'utf8').replace(guarded.url, other.url));
    await window.rpc.call('mcp/refresh', {});
    expect((await listed())?.signIn?.state).toBe('needed');
    expect(other.shown).toEqual(new Set());
    expect(other.tokenRequests).toEqual([]);
  } finally {
    await other.close();
  }
});

test('An issuer that takes the place of another gets nothing of it, and nobody is registered there without the person', async () => {
  await add();
  await signIn();
  const other = await GuardedServer.start();
  try {
    guarded.grantedBy = other.origin;
    guarded.expire();
    expect(await callTool()).toContain('wants you to sign in');
    expect(other.tokenRequests).toEqual([]);
    expect(other.registrations).toBe(0);
  } finally {
    await other.close();
  }
});
