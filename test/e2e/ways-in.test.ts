/** A way in of the built headless server: turned on, killed, turned off, and gone with it. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { signatureOf } from '../../src/bridges/webhook/signed-request.ts';
import { connectLocally } from '../../src/platform/local-socket.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { maxFrameBytes } from '../../src/protocol/limits.ts';
import type { WayId, WayState } from '../../src/protocol/way-methods.ts';
import { freePort } from '../helpers/free-port.ts';
import { openCliHarness, type CliHarness } from './cli-harness.ts';

const secret = 'a-secret-of-the-webhook';
let harness: CliHarness;
let rpc: RpcClient<HostMethods>;
beforeEach(async () => {
  harness = await openCliHarness();
});
afterEach(() => harness.close());

async function connect(): Promise<void> {
  const pipe = await connectLocally(harness.dataDir, maxFrameBytes);
  if (!pipe) throw new Error('No host listens.');
  rpc = createRpcClient<HostMethods>(pipe);
}

const stateOf = async (way: WayId = 'webhook'): Promise<WayState | undefined> =>
  (await rpc.call('way/list', {})).ways.find(({ id }) => id === way)?.state;

/** Resolves with its address. */
async function listening(): Promise<string> {
  await expect.poll(() => stateOf()).toMatchObject({ state: 'listening' });
  const state = await stateOf();
  return state?.state === 'listening' ? state.at : '';
}

async function ask(url: string, id: string): Promise<unknown> {
  const body = JSON.stringify({ id, user: { id: '7' }, text: 'hello', wait: true });
  const time = String(Math.floor(Date.now() / 1000));
  const headers = { 'x-andiron-time': time, 'x-andiron-signature': signatureOf(secret, time, body) };
  return (await fetch(url, { method: 'POST', headers, body })).json();
}

const isGone = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

test('The webhook runs from its switch on until its switch off, and its secret is in no log (X1)', async () => {
  const server = await harness.startServer();
  await connect();
  const settings = { isOn: true, port: await freePort() };
  await rpc.call('way/change', { id: 'webhook', settings, secret });
  const url = await listening();
  expect(await ask(url, 'm1')).toMatchObject({ status: 'answered', content: 'Hello there.\nA second line.' });
  await rpc.call('way/change', { id: 'webhook', settings: { isOn: false } });
  await expect.poll(() => stateOf()).toEqual({ state: 'off' });
  expect(await isGone(url)).toBe(true);
  await rpc.call('way/change', { id: 'webhook', settings: { isOn: true } });
  expect(await listening()).toBe(url);
  await server.stop();
  expect(await isGone(url)).toBe(true);
  const logs = join(harness.dataDir, 'logs');
  const written = readdirSync(logs).map((name) => readFileSync(join(logs, name), 'utf8'));
  expect(written.join('')).not.toContain(secret);
});

test('A way that was on is on again after a restart, and answers the same message in the same way (X12)', async () => {
  const server = await harness.startServer();
  await connect();
  const settings = { isOn: true, port: await freePort() };
  await rpc.call('way/change', { id: 'webhook', settings, secret });
  const first = await ask(await listening(), 'm1');
  const chats = (): number =>
    harness.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').length;
  const before = chats();
  await server.stop();
  await harness.startServer();
  await connect();
  const url = await listening();
  // What was signed in the second of its start is taken.
  expect(await ask(url, 'm1')).toEqual(first);
  expect(chats()).toBe(before);
});

test('A port that another program has is named as the reason why the webhook does not listen', async () => {
  await harness.startServer();
  await connect();
  const port = Number(new URL(harness.sim.url).port);
  await rpc.call('way/change', { id: 'webhook', settings: { isOn: true, port }, secret });
  await expect
    .poll(() => stateOf())
    .toMatchObject({
      state: 'failed',
      message: expect.stringContaining(`Port ${String(port)} cannot be used`) as unknown,
      advice: 'Choose another port.',
    });
});

test('The gateway runs from its switch on, serves programs by their tokens alone, and says why it cannot listen (Y15, X2)', async () => {
  const server = await harness.startServer();
  await connect();
  const port = await freePort();
  await rpc.call('way/change', { id: 'gateway', settings: { isOn: true, port } });
  const baseURL = `http://127.0.0.1:${String(port)}/v1`;
  await expect.poll(() => stateOf('gateway')).toEqual({ state: 'listening', at: baseURL });
  const { text: apiKey } = await rpc.call('token/create', { name: 'Test' });
  const client = new OpenAI({ apiKey, baseURL, maxRetries: 0 });
  const asked = { model: 'developer', messages: [{ role: 'user', content: 'hello' } as const] };
  const answers = await Promise.all([1, 2, 3].map(() => client.chat.completions.create(asked)));
  expect(answers.map(({ choices }) => choices[0]?.message.content)).toEqual(
    Array.from({ length: 3 }, () => 'Hello there.\nA second line.'),
  );
  const stranger = new OpenAI({ apiKey: `${apiKey}x`, baseURL, maxRetries: 0 });
  await expect(stranger.models.list()).rejects.toMatchObject({ status: 401 });

  await rpc.call('way/change', { id: 'gateway', settings: { port: Number(new URL(harness.sim.url).port) } });
  await expect
    .poll(() => stateOf('gateway'))
    .toMatchObject({
      state: 'failed',
      advice: expect.stringContaining('another port') as unknown,
    });
  await server.stop();
  expect(await isGone(baseURL)).toBe(true);
});
