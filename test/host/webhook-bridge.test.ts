/** Messages over signed HTTP, and what is refused. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createCarrier } from '../../src/bridges/carrier.ts';
import { signatureOf } from '../../src/bridges/webhook/signed-request.ts';
import { createWebhookBridge } from '../../src/bridges/webhook/webhook-bridge.ts';
import { silentLog } from '../../src/platform/log.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World } from '../helpers/host-world.ts';
import { skippableClock } from '../helpers/skippable-clock.ts';
import { Bell } from '../helpers/waiting.ts';

const secret = 'a shared secret';
const clock = skippableClock();
const bell = new Bell();
let world: World;
let carrier: ReturnType<typeof createCarrier>;
let url: string;
/** What the configured address was sent. */
let arrived: { headers: IncomingHttpHeaders; text: string }[];
let statuses: number[];
const answers = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    arrived.push({ headers: request.headers, text: Buffer.concat(parts).toString() });
    response.writeHead(statuses.shift() ?? 204).end();
    bell.ring();
  });
});

async function start(answerUrl: string | null): Promise<void> {
  const bridge = createWebhookBridge({
    port: 0,
    secret,
    answerUrl,
    clock,
    onInternalError: (error) => {
      throw error;
    },
  });
  carrier = createCarrier({ bridge, clock, log: silentLog });
  const [bridgeEnd, hostEnd] = createTransportPair();
  world.host.connectBridge(hostEnd, 'webhook');
  carrier.connect(bridgeEnd);
  url = await carrier.start();
}

beforeEach(async () => {
  arrived = [];
  statuses = [];
  world = await World.start({ sim: { script: script([rule({}, reply().text('An answer.'))]) } });
  answers.listen(0, '127.0.0.1');
  await once(answers, 'listening');
});
afterEach(async () => {
  await carrier.stop();
  await world.close();
  answers.closeAllConnections();
  answers.close();
});

const answerUrl = (): string => `http://127.0.0.1:${String((answers.address() as AddressInfo).port)}/in`;
const chats = (): number =>
  world.sim.truth.requests.filter(({ endpoint }) => endpoint === '/api/chat').length;
const seconds = (aheadMs = 0): string => String(Math.floor((clock.now() + aheadMs) / 1000));
const message = { id: 'm1', user: { id: '7', name: 'Ann' }, channel: 'c', text: 'Hello.' };

interface Sent {
  body?: string | object;
  time?: string;
  signedWith?: string;
  headers?: Record<string, string>;
  method?: string;
  path?: string;
}
async function send({ body = message, time = seconds(), signedWith = secret, ...more }: Sent = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const { method = 'POST', path = '', headers = {} } = more;
  const response = await fetch(url + path, {
    method,
    headers: {
      'x-andiron-time': time,
      'x-andiron-signature': signatureOf(signedWith, time, text),
      ...headers,
    },
    ...(method === 'POST' && { body: text }),
  });
  const answer = (await response.json()) as { error?: { code: string } | null; content?: string };
  return { status: response.status, code: answer.error?.code, answer };
}

test('A message that waits is answered in the response, and is one of the platform webhook (X1, A12)', async () => {
  await start(null);
  const { status, answer } = await send({ body: { ...message, wait: true } });
  expect([status, answer]).toEqual([
    200,
    { id: 'm1', status: 'answered', content: 'An answer.', error: null },
  ]);
  const { people } = await world.openWindow().rpc.call('people/list', {});
  expect(people.find(({ level }) => level === 'guest')?.accounts).toMatchObject([
    { platform: 'webhook', platformUserId: '7', name: 'Ann' },
  ]);
});

test('A message that does not wait is accepted, and its signed answer comes to the configured address (X10)', async () => {
  await start(answerUrl());
  expect((await send()).status).toBe(202);
  await bell.until(() => arrived.length === 1, 'the answer');
  const { headers, text } = arrived[0] ?? { headers: {}, text: '' };
  expect(JSON.parse(text)).toEqual({
    id: 'm1',
    server: '',
    channel: 'c',
    thread: '',
    status: 'answered',
    content: 'An answer.',
    error: null,
    files: [],
  });
  expect(headers['x-andiron-signature']).toBe(signatureOf(secret, String(headers['x-andiron-time']), text));
});

test('The same message id signed anew gets the same answer, and the model is asked once (X12)', async () => {
  await start(null);
  const first = await send({ body: { ...message, wait: true } });
  clock.skip(2_000);
  const second = await send({ body: { ...message, wait: true } });
  expect(second).toEqual(first);
  expect(chats()).toBe(1);
});

test('An address that fails is tried again with the same delivery id until it takes the answer (X12)', async () => {
  await start(answerUrl());
  statuses = [500, 404, 301];
  await send();
  const skipping = setInterval(() => clock.skip(5_000), 20);
  await bell.until(() => arrived.length === 4, 'the fourth attempt').finally(() => clearInterval(skipping));
  expect(new Set(arrived.map(({ headers }) => headers['x-andiron-delivery'])).size).toBe(1);
  expect(chats()).toBe(1);
});

test.each<[what: string, sent: () => Sent, status: number, code: string]>([
  ['without a signature', () => ({ headers: { 'x-andiron-signature': '' } }), 401, 'wrong_signature'],
  ['without a time', () => ({ headers: { 'x-andiron-time': '' } }), 401, 'unsigned'],
  ['with a time that is none', () => ({ time: '1e3' }), 401, 'unsigned'],
  ['signed with another secret', () => ({ signedWith: 'other' }), 401, 'wrong_signature'],
  [
    'whose time is not the signed one',
    () => ({ headers: { 'x-andiron-time': seconds(-1000) } }),
    401,
    'wrong_signature',
  ],
  [
    'whose signature is cut',
    () => ({ headers: { 'x-andiron-signature': 'sha256=' } }),
    401,
    'wrong_signature',
  ],
  ['signed more than 5 minutes ago', () => ({ time: seconds(-302_000) }), 401, 'too_old'],
  ['signed more than 5 minutes ahead', () => ({ time: seconds(302_000) }), 401, 'too_old'],
  ['from a web page', () => ({ headers: { origin: 'https://example.com' } }), 403, 'origin_refused'],
  ['to another path', () => ({ path: '/more' }), 404, 'unknown_path'],
  ['with another method', () => ({ method: 'GET' }), 405, 'wrong_method'],
  ['without a text', () => ({ body: { ...message, text: ' ' } }), 400, 'invalid_message'],
  [
    'whose text is longer than the host takes',
    () => ({ body: { ...message, text: 'a'.repeat(1_000_001) } }),
    400,
    'invalid_message',
  ],
  ['without an id', () => ({ body: { ...message, id: '' } }), 400, 'invalid_message'],
  ['that is no JSON', () => ({ body: '{' }), 400, 'invalid_json'],
])('A request %s is refused, and nobody is asked (X9)', async (_, sent, status, code) => {
  await start(null);
  // Nothing signed before the start is taken, so that starts first.
  clock.skip(600_000);
  expect(await send(sent())).toMatchObject({ status, code });
  expect((await world.openWindow().rpc.call('people/list', {})).people).toHaveLength(1);
});

test('A request is taken once: the same bytes again are refused (X9)', async () => {
  await start(null);
  const time = seconds();
  expect((await send({ time })).status).toBe(202);
  expect(await send({ time })).toMatchObject({ status: 409, code: 'replayed' });
  clock.skip(280_000);
  expect(await send({ time })).toMatchObject({ status: 409, code: 'replayed' });
  clock.skip(24_000);
  expect(await send({ time })).toMatchObject({ status: 401, code: 'too_old' });
});

test('What was signed before the bridge began is refused: it may have been used then (X9)', async () => {
  const time = seconds();
  clock.skip(2_000);
  await start(null);
  expect(await send({ time })).toMatchObject({ status: 401, code: 'too_old' });
});

test('A body of 1 MB is read and a larger one is not (X9)', async () => {
  await start(null);
  const room = 1024 * 1024 - JSON.stringify({ ...message, more: '' }).length;
  expect((await send({ body: { ...message, more: 'a'.repeat(room) } })).status).toBe(202);
  expect(await send({ body: { ...message, more: 'a'.repeat(room + 1) } })).toMatchObject({
    status: 413,
    code: 'too_large',
  });
});
