/** Who gets nothing of the gateway. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/platform/clock.ts';
import { maxFrameBytes, maxRequestsPerMinute } from '../../src/protocol/limits.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';

let harness: GatewayHarness;
let token: string;
beforeEach(async () => {
  harness = await GatewayHarness.start(script([rule({}, reply().text('An answer.'))]), { requestMs: 300 });
  token = (await harness.token()).text;
});
afterEach(() => harness.close());

const hostNamed = (name: string): string => `${name}:${String(harness.gateway.port)}`;
const get = (headers: Record<string, string>, path = '/v1/models') => harness.http('GET', path, { headers });
const bearer = (text: string) => ({ authorization: `Bearer ${text}` });
const codeIn = (body: string): string => (JSON.parse(body) as { error: { code: string } }).error.code;

const paths: [method: string, path: string][] = [
  ['GET', '/healthz'],
  ['GET', '/v1/models'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
  ['POST', '/v1/messages'],
  ['GET', '/v1/sessions'],
  ['POST', '/v1/sessions'],
  ['GET', '/v1/sessions/ses_1'],
  ['POST', '/v1/sessions/ses_1/messages'],
  ['POST', '/v1/sessions/ses_1/stop'],
  ['GET', '/v1/usage'],
  ['GET', '/v1/files/file_1'],
  ['GET', '/v1/openapi.json'],
  ['GET', '/nowhere'],
];

describe.each(paths)('%s %s', (method, path) => {
  it('is refused without a token, and with one that is none (X2, X9)', async () => {
    const wrong = [
      '',
      'Bearer ',
      `Basic ${token}`,
      token,
      `Bearer ${token}x`,
      `Bearer x${token}`,
      'Bearer and_',
    ];
    for (const authorization of wrong) {
      const { status, headers } = await harness.http(method, path, { headers: { authorization } });
      expect([authorization === '' ? 'none' : authorization.slice(0, 10), status]).toEqual([
        expect.anything(),
        401,
      ]);
      expect(headers['www-authenticate']).toBe('Bearer');
    }
    expect((await harness.http(method, path)).status).toBe(401);
  });

  it('is refused with an Origin, whichever it is, and a good token (X9)', async () => {
    for (const origin of [harness.url, 'null', 'https://example.com', 'app://x']) {
      const { status, body } = await harness.http(method, path, { headers: { ...bearer(token), origin } });
      expect([status, codeIn(body)]).toEqual([403, 'origin_refused']);
    }
  });

  it('is refused under any other name of this machine (X9)', async () => {
    const { port } = harness.gateway;
    const names = ['evil.example', `evil.example:${String(port)}`, '127.0.0.1', 'localhost', '127.0.0.1:1'];
    const odd = [
      `127.0.0.1.evil.example:${String(port)}`,
      `localhost.:${String(port)}`,
      `0.0.0.0:${String(port)}`,
    ];
    for (const host of [...names, ...odd]) {
      const { status, body } = await harness.http(method, path, { headers: { ...bearer(token), host } });
      expect([host, status, codeIn(body)]).toEqual([host, 403, 'wrong_host']);
    }
  });
});

it('a good token is let in under both names of the loopback address (X9)', async () => {
  for (const name of ['127.0.0.1', 'localhost'])
    expect((await get({ ...bearer(token), host: hostNamed(name) }, '/healthz')).status).toBe(200);
  expect((await get(bearer(token), '/nowhere')).status).toBe(404);
});

it('of 400 wrong tokens none is let in, and the good one still is (X2)', async () => {
  const guesses = Array.from({ length: 400 }, (_, n) => {
    const at = 4 + (n % 43);
    const other = token[at] === 'A' ? 'B' : 'A';
    return n < 200 ? token.slice(0, at) + other + token.slice(at + 1) : `and_${String(n).padStart(43, '0')}`;
  });
  const statuses = [];
  for (const guess of guesses) statuses.push((await get(bearer(guess))).status);
  expect(statuses).toEqual(guesses.map(() => 401));
  expect((await get(bearer(token))).status).toBe(200);
});

it('a revoked token is refused from the next request on (X2)', async () => {
  const other = await harness.token();
  expect((await get(bearer(other.text))).status).toBe(200);
  await harness.owner.call('token/revoke', { tokenId: other.id });
  expect((await get(bearer(other.text))).status).toBe(401);
});

it('a program that asks too often waits a minute, and other programs do not (X2)', async () => {
  await harness.close();
  let ms = 0;
  harness = await GatewayHarness.start(script([rule({}, reply().text('An answer.'))]), {
    clock: { ...systemClock, now: () => ms, monotonic: () => ms },
  });
  token = (await harness.token()).text;
  for (let n = 0; n < maxRequestsPerMinute; n += 1) await get(bearer(token), '/healthz');
  const refused = await get(bearer(token));
  expect([refused.status, refused.headers['retry-after']]).toEqual([429, '60']);
  expect((await get(bearer((await harness.token()).text))).status).toBe(200);
  ms = 60_000;
  expect((await get(bearer(token))).status).toBe(200);
});

it('a body that is larger than a frame is refused, with its length and without (Y15)', async () => {
  const body = 'x'.repeat(maxFrameBytes + 1);
  const length = { 'content-length': String(body.length) };
  const chunked = { 'transfer-encoding': 'chunked' };
  for (const headers of [length, chunked]) {
    // A client may see the connection go before it has read why.
    const outcome = await harness
      .http('POST', '/v1/chat/completions', { headers: { ...bearer(token), ...headers }, body })
      .then(
        ({ status }) => status,
        () => 413,
      );
    expect(outcome).toBe(413);
  }
  expect(harness.chats()).toEqual([]);
});

it('a body that is no JSON, or nested without end, is refused (Y15)', async () => {
  for (const body of ['', '{', 'null', '[]', '{"messages":7}', '['.repeat(100_000)]) {
    const { status } = await harness.http('POST', '/v1/chat/completions', { headers: bearer(token), body });
    expect(status).toBe(400);
  }
});

it('a request whose body does not come is cut (Y15)', async () => {
  const head = `POST /v1/chat/completions HTTP/1.1\r\nHost: ${hostNamed('127.0.0.1')}\r\n`;
  const got = await harness.raw(`${head}Authorization: Bearer ${token}\r\nContent-Length: 100\r\n\r\n{"mod`);
  expect(got).not.toContain('200 OK');
  expect(harness.chats()).toEqual([]);
});

it('headers that are too large are refused (Y15)', async () => {
  const got = await harness.raw(
    `GET /healthz HTTP/1.1\r\nHost: ${hostNamed('127.0.0.1')}\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`,
  );
  expect(got).toContain('431');
});

it('nothing of a token is in what the gateway says of itself, also when the host is gone (X2)', async () => {
  harness.isHostRunning = false;
  expect((await get(bearer(token))).status).toBe(503);
  expect(harness.problems).toHaveLength(1);
  expect(harness.problems.map((problem) => String((problem as Error).stack)).join('')).not.toContain(
    token.slice(4),
  );
});
