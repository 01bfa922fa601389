/**
 * Wrong requests in great number, drawn from all that can be wrong: tokens, names of the host, origins, levels, methods on
 * what belongs to another. 1,000 in a normal run, 10,000 with `--full`; a seed that fails is printed and draws the same.
 */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { hostAccess } from '../../src/protocol/host-access.ts';
import type { HostMethods } from '../../src/protocol/host-methods.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { createRpcClient, type RpcClient } from '../../src/protocol/rpc-client.ts';
import { levels, reaches, type Level } from '../../src/protocol/principal.ts';
import { createTransportPair } from '../../src/protocol/transport.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';
import { drawnBelow, isThorough } from '../helpers/thorough.ts';

const count = isThorough ? 10_000 : 1_000;
const document = { title: 'Secret', content: 'What the first program knows.' };

let harness: GatewayHarness;
let good: string;
let revoked: string;
let strangers: { text: string; level: Level }[];
/** Of the program with the good token. */
let theirs: { sessionId: string; turnId: string; fileId: string };
let now = 0;

beforeAll(async () => {
  harness = await GatewayHarness.start(
    script([
      rule({ user: 'write', resultCount: 0 }, reply().toolCall('create_document', document)),
      rule({}, reply().text('The secret is kept.')),
    ]),
    // Each request is in another minute, so that none is refused for coming too often.
    { clock: { ...systemClock, monotonic: () => (now += 60_000) } },
  );
  const changes = { tools: ['create_document'], approvals: 'accept_edits' as const };
  await harness.owner.call('profile/update', { profileId: 'developer', changes });
  good = (await harness.token({ level: 'admin' })).text;
  const { body } = await harness.post('/v1/messages', good, { text: 'write' });
  const answer = JSON.parse(body) as { session_id: string; turn_id: string; files: { id: string }[] };
  theirs = { sessionId: answer.session_id, turnId: answer.turn_id, fileId: answer.files[0]?.id ?? '' };
  const ended = await harness.token();
  await harness.owner.call('token/revoke', { tokenId: ended.id });
  revoked = ended.text;
  strangers = await Promise.all(
    levels.map(async (level) => ({ level, text: (await harness.token({ level })).text })),
  );
});
afterAll(() => harness.close());

/** Small and fast; the same numbers for the same seed. */
function drawFrom(seed: number): <T>(all: readonly [T, ...T[]]) => T {
  let state = seed;
  return ([first, ...rest]) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return [first, ...rest][(state >>> 8) % (rest.length + 1)] ?? first;
  };
}
type Draw = ReturnType<typeof drawFrom>;

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

const anyPath = ({
  sessionId,
  fileId,
}: typeof theirs): readonly [[string, string], ...[string, string][]] => [
  ['GET', '/healthz'],
  ['GET', '/v1/models'],
  ['GET', '/v1/openapi.json'],
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/responses'],
  ['POST', '/v1/messages'],
  ['GET', '/v1/sessions'],
  ['POST', '/v1/sessions'],
  ['GET', `/v1/sessions/${sessionId}`],
  ['GET', `/v1/sessions/${sessionId}?view=rows`],
  ['POST', `/v1/sessions/${sessionId}/messages`],
  ['POST', `/v1/sessions/${sessionId}/stop`],
  ['GET', '/v1/usage'],
  ['GET', `/v1/files/${fileId}`],
];

const bodyText = JSON.stringify({
  model: 'developer',
  profile: 'developer',
  text: 'Hello.',
  input: 'Hello.',
  messages: [{ role: 'user', content: 'Hello.' }],
});

/** One letter of the good token is another one. */
function almost(draw: Draw): string {
  const at = 4 + draw(Array.from({ length: good.length - 4 }, (_, n) => n) as [number, ...number[]]);
  return good.slice(0, at) + (good[at] === 'A' ? 'B' : 'A') + good.slice(at + 1);
}

/** Returns the request and the statuses with which it may be refused. */
function drawRequest(draw: Draw): { sent: Sent; allowed: number[] } {
  const [method, path] = draw(anyPath(theirs));
  const right = { authorization: `Bearer ${good}` };
  const base = { method, path, body: method === 'POST' ? bodyText : '' };
  const port = String(harness.gateway.port);
  switch (draw(['token', 'host', 'origin', 'stranger', 'turn', 'path'] as const)) {
    case 'token': {
      const authorization = draw([
        '',
        'Bearer',
        'Bearer and_',
        `Basic ${good}`,
        good,
        `Bearer ${good}, Bearer ${good}`,
        `Bearer ${revoked}`,
        `Bearer ${almost(draw)}`,
        `Bearer ${good.toUpperCase()}`,
        `Bearer ${good.slice(0, -1)}`,
        `Bearer ${good}A`,
        `Bearer and_${'A'.repeat(300)}`,
      ]);
      return { sent: { ...base, headers: { authorization } }, allowed: [401] };
    }
    case 'host': {
      const name = draw(['evil.example', '0.0.0.0', '[::1]', 'localhost.', '127.0.0.1.nip.io']);
      const host = draw([name, `${name}:${port}`, `127.0.0.1:${port}1`]);
      return { sent: { ...base, headers: { ...right, host } }, allowed: [403] };
    }
    case 'origin': {
      const origin = draw(['null', '', harness.url, 'https://example.com', 'app://andiron', 'file://']);
      return { sent: { ...base, headers: { ...right, origin } }, allowed: [403] };
    }
    case 'stranger': {
      const { sessionId, fileId } = theirs;
      const [asked, named] = draw([
        ['GET', `/v1/sessions/${sessionId}`],
        ['GET', `/v1/sessions/${sessionId}?view=rows&turns=1`],
        ['POST', `/v1/sessions/${sessionId}/messages`],
        ['POST', `/v1/sessions/${sessionId}/stop`],
        ['GET', `/v1/files/${fileId}`],
      ] as [[string, string], ...[string, string][]]);
      const { text } = draw(strangers as [(typeof strangers)[0], ...typeof strangers]);
      const headers = { authorization: `Bearer ${text}` };
      const body = asked === 'POST' ? bodyText : '';
      return { sent: { method: asked, path: named, headers, body }, allowed: [404] };
    }
    case 'turn': {
      const { text } = draw(strangers as [(typeof strangers)[0], ...typeof strangers]);
      const body = JSON.stringify({
        model: 'developer',
        input: 'Hello.',
        previous_response_id: theirs.turnId,
      });
      const headers = { authorization: `Bearer ${text}` };
      return { sent: { method: 'POST', path: '/v1/responses', headers, body }, allowed: [404] };
    }
    case 'path': {
      const { sessionId } = theirs;
      const odd = draw([
        `/v1/sessions/${sessionId}/../${sessionId}`,
        `/v1/sessions/${sessionId}%00`,
        `/v1/sessions/${sessionId}/`,
        `//v1/sessions/${sessionId}`,
        `/v1/sessions/${sessionId}/delete`,
        '/v1/files/..%2f..%2fandiron.db',
        '/v1/files/../../andiron.db',
        '/host',
        '/v1/tokens',
      ]);
      const { text } = draw(strangers as [(typeof strangers)[0], ...typeof strangers]);
      const headers = { authorization: `Bearer ${text}` };
      return { sent: { ...base, path: odd, headers }, allowed: [404] };
    }
  }
}

it('of many drawn wrong requests none is let in, and none is asked of a model (X2, X9)', async () => {
  const asked = harness.chats().length;
  const seeds = Array.from({ length: count }, () => drawnBelow(2 ** 31));
  const wrong: string[] = [];
  const workers = Array.from({ length: 16 }, async () => {
    for (let seed = seeds.pop(); seed !== undefined; seed = seeds.pop()) {
      const { sent, allowed } = drawRequest(drawFrom(seed));
      const { status, body } = await harness.http(sent.method, sent.path, sent);
      if (!allowed.includes(status) || body.includes('secret') || body.includes('Secret'))
        wrong.push(`seed ${String(seed)}: ${sent.method} ${sent.path} → ${String(status)}`);
    }
  });
  await Promise.all(workers);
  process.stdout.write(`${String(count)} wrong requests, ${String(wrong.length)} let in\n`);
  expect(wrong).toEqual([]);
  expect(harness.chats()).toHaveLength(asked);
});

it('a signed-in program is refused every method of the host that needs a higher level (X2)', async () => {
  const names = Object.keys(hostAccess) as (keyof HostMethods)[];
  for (const { text, level } of strangers) {
    const rpc = await signIn(text);
    // A token of the owner’s level is no owner.
    const most = level === 'owner' ? 'admin' : level;
    for (const name of names.filter((each) => !reaches(most, hostAccess[each].needs)))
      await expect(rpc.call(name, {})).rejects.toMatchObject({ code: 'not_allowed' });
    rpc.close();
  }
});

it('a signed-in program finds nothing of another one, in whatever method it names it (X2)', async () => {
  const names = Object.keys(hostAccess) as (keyof HostMethods)[];
  const own = names.filter((name) => hostAccess[name].on === 'own' && !name.startsWith('memory/'));
  const named = { ...theirs, text: 'Hello', itemId: 'x', from: 0, beforeIndex: 1, limit: 10 };
  for (const { text } of strangers) {
    const rpc = await signIn(text);
    for (const name of [...own, 'program/find-turn', 'program/read-file'] as const)
      await expect(rpc.call(name, named as never)).rejects.toMatchObject({ code: 'not_found' });
    const { sessionIds } = await rpc.call('program/find-sessions', {
      profileId: 'developer',
      newestTexts: ['write'],
    });
    expect(sessionIds).toEqual([]);
    rpc.close();
  }
});

it('no socket is opened for a session of another program (X2)', async () => {
  for (const { text } of strangers) {
    const socket = new WebSocket(`${harness.url.replace('http', 'ws')}/v1/sessions/${theirs.sessionId}`);
    socket.on('open', () => socket.send(JSON.stringify({ type: 'sign-in', token: text })));
    const code = await new Promise((resolve) => socket.on('close', resolve));
    expect(code).toBe(4_404);
  }
});

async function signIn(token: string): Promise<RpcClient<HostMethods>> {
  const [hostEnd, programEnd] = createTransportPair();
  harness.world.host.connectProgram(hostEnd);
  const rpc = createRpcClient<HostMethods>(programEnd);
  await rpc.call('host/sign-in', { token });
  return rpc;
}
