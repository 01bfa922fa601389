/** The events of a session on a WebSocket, as the `ws` package reads them. */
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WebSocket, type ClientOptions } from 'ws';
import { systemClock, type Clock } from '../../src/platform/clock.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { GatewayHarness } from '../helpers/gateway-harness.ts';

interface Frame {
  type: string;
  epoch: string;
  seq: number;
  turn_id: string | null;
  event: { type: string };
  session: object;
  items: { kind: string; text?: string }[];
  error: { code: string };
}

const answers = script([
  rule({ user: 'wait' }, reply().text('Half an answer. ').pause(300_000).text('The rest.')),
  rule({}, reply().text('An answer in words.')),
]);
let harness: GatewayHarness;
let token: string;
let sessionId: string;
const open: WebSocket[] = [];

/** Timers that run when a test says so; the rest is the system's. */
const due = new Map<() => void, number>();
const clock: Clock = {
  ...systemClock,
  after(ms, run) {
    due.set(run, ms);
    return { cancel: () => void due.delete(run) };
  },
};
function elapse(ms: number): void {
  const runs = [...due].filter(([, after]) => after === ms);
  for (const [run] of runs) {
    due.delete(run);
    run();
  }
}

beforeEach(async () => {
  harness = await GatewayHarness.start(answers, { clock });
  token = (await harness.token()).text;
  const { body } = await harness.post('/v1/sessions', token, { profile: 'developer' });
  sessionId = (JSON.parse(body) as { session: { id: string } }).session.id;
});
afterEach(async () => {
  for (const socket of open.splice(0)) socket.terminate();
  due.clear();
  await harness.close();
});

const send = (text: string) => harness.post(`/v1/sessions/${sessionId}/messages`, token, { text });

class Reader {
  readonly socket: WebSocket;
  readonly frames: Frame[] = [];
  readonly closed: Promise<number>;
  #notify: () => void = () => undefined;

  constructor(path = `/v1/sessions/${sessionId}`, options: ClientOptions = {}) {
    this.socket = new WebSocket(`${harness.url.replace('http', 'ws')}${path}`, options);
    open.push(this.socket);
    this.closed = new Promise((resolve) => this.socket.once('close', resolve));
    this.socket.on('message', (data: Buffer) => {
      this.frames.push(JSON.parse(data.toString()) as Frame);
      this.#notify();
    });
  }

  async signIn(more: object = {}): Promise<this> {
    await once(this.socket, 'open');
    this.socket.send(JSON.stringify({ type: 'sign-in', token, ...more }));
    return this;
  }

  async until(ready: (frame: Frame) => boolean): Promise<Frame> {
    for (;;) {
      const found = this.frames.find(ready);
      if (found) return found;
      await new Promise<void>((resolve) => (this.#notify = resolve));
    }
  }

  untilTurnCloses(): Promise<Frame> {
    return this.until(({ event }) => event?.type === 'turn/closed');
  }
}

/** The status with which the handshake is refused. */
async function refusal(path?: string, options: ClientOptions = {}): Promise<number> {
  const { socket } = new Reader(path, options);
  socket.on('error', () => undefined);
  const [, { statusCode }] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }];
  return statusCode;
}

it('a socket gets the session as it is, and then each event with its number (X11)', async () => {
  const reader = await new Reader().signIn();
  const snapshot = await reader.until(({ type }) => type === 'snapshot');
  await send('Hello.');
  await reader.untilTurnCloses();
  const seqs = reader.frames.slice(1).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, at) => snapshot.seq + at + 1));
  expect(snapshot.session).toMatchObject({ id: sessionId, profile: 'developer' });
});

it('a socket that comes back gets what it missed, and nothing twice (X11)', async () => {
  const first = await new Reader().signIn();
  const { epoch } = await first.until(({ type }) => type === 'snapshot');
  await send('Hello.');
  await first.untilTurnCloses();
  const cut = first.frames.at(3)?.seq ?? 0;
  first.socket.terminate();
  await send('Once more.');
  const second = await new Reader().signIn({ epoch, after: cut });
  await send('A third one.');
  const turns = new Set<string | null>();
  await second.until(({ event, turn_id: id }) => event?.type === 'turn/closed' && turns.add(id).size === 3);
  expect(second.frames[0]).toMatchObject({ type: 'resumed', seq: cut });
  const seqs = second.frames.slice(1).map(({ seq }) => seq);
  expect(seqs).toEqual(seqs.map((_, at) => cut + at + 1));
});

it.each([
  [
    'of another process',
    (position: { epoch: string; after: number }) => ({ ...position, epoch: 'host_gone' }),
  ],
  [
    'of the future',
    ({ epoch, after }: { epoch: string; after: number }) => ({ epoch, after: after + 1_000 }),
  ],
  ['without its epoch', ({ after }: { after: number }) => ({ after })],
])('a socket that comes back with a position %s gets the session anew (X11)', async (_name, change) => {
  const first = await new Reader().signIn();
  const { epoch, seq: after } = await first.until(({ type }) => type === 'snapshot');
  const second = await new Reader().signIn(change({ epoch, after }));
  expect((await second.until(() => true)).type).toBe('snapshot');
});

it('a session that nobody has read for a minute is read anew (X11)', async () => {
  const first = await new Reader().signIn();
  const { epoch, seq: after } = await first.until(({ type }) => type === 'snapshot');
  first.socket.close();
  await first.closed;
  await expect.poll(() => [...due.values()]).toContain(60_000);
  elapse(60_000);
  const second = await new Reader().signIn({ epoch, after });
  const snapshot = await second.until(() => true);
  expect([snapshot.type, snapshot.epoch]).toEqual(['snapshot', epoch]);
});

it('nothing of the folders of this machine is said on a socket (X2)', async () => {
  const reader = await new Reader().signIn();
  await reader.until(({ type }) => type === 'snapshot');
  await send('Hello.');
  await reader.untilTurnCloses();
  expect(reader.frames.some(({ event }) => event?.type === 'session/changed')).toBe(true);
  expect(JSON.stringify(reader.frames)).not.toContain(harness.world.dir);
});

it.each(['https://example.com', 'null', 'http://127.0.0.1'])(
  'a socket with the Origin %s is refused before it is opened (X9)',
  async (origin) => expect(await refusal(undefined, { origin })).toBe(403),
);

it('a socket under another name of this machine, or at another address, is refused (X9)', async () => {
  expect(await refusal(undefined, { headers: { host: 'evil.example' } })).toBe(403);
  expect(await refusal('/v1/sessions')).toBe(404);
  expect(await refusal(`/v1/sessions/${sessionId}?token=${token}`)).toBe(404);
});

it.each([
  ['a token that is none', { token: 'and_none' }, 4_401],
  ['no token', { token: '' }, 4_401],
  ['more than a sign-in', { more: 1 }, 4_401],
])('a socket that signs in with %s is closed (X2)', async (_name, more, code) => {
  const reader = await new Reader().signIn(more);
  expect(await reader.closed).toBe(code);
  expect(reader.frames.map(({ type }) => type)).toEqual(['error']);
});

it('a socket of another token does not get the session, also while its own token reads it (X2)', async () => {
  const own = await new Reader().signIn();
  await own.until(({ type }) => type === 'snapshot');
  const other = await new Reader().signIn({ token: (await harness.token()).text });
  expect(await other.closed).toBe(4_404);
  expect(other.frames.map(({ type }) => type)).toEqual(['error']);
});

it('a socket that does not sign in is closed after five seconds (X9)', async () => {
  const reader = new Reader();
  await once(reader.socket, 'open');
  elapse(5_000);
  expect(await reader.closed).toBe(4_401);
});

it('a socket that says more than its sign-in is closed, and a large frame ends it (X9)', async () => {
  const reader = await new Reader().signIn();
  await reader.until(({ type }) => type === 'snapshot');
  reader.socket.send('{"type":"message"}');
  expect(await reader.closed).toBe(4_400);
  const large = await new Reader().signIn({ epoch: 'x'.repeat(5_000) });
  expect(await large.closed).toBe(1009);
});

it('sockets end with their token (X2)', async () => {
  const { id, text } = await harness.token();
  const { body } = await harness.post('/v1/sessions', text, { profile: 'developer' });
  const its = (JSON.parse(body) as { session: { id: string } }).session.id;
  const reader = await new Reader(`/v1/sessions/${its}`).signIn({ token: text });
  await reader.until(({ type }) => type === 'snapshot');
  await harness.owner.call('token/revoke', { tokenId: id });
  expect(await reader.closed).toBe(1001);
});

it('a token has 32 sockets at most (X9)', async () => {
  const readers = await Promise.all(Array.from({ length: 32 }, () => new Reader().signIn()));
  await Promise.all(readers.map((reader) => reader.until(({ type }) => type === 'snapshot')));
  const more = await new Reader().signIn();
  expect(await more.closed).toBe(4_429);
  readers[0]?.socket.close();
  await readers[0]?.closed;
  const next = await new Reader().signIn();
  expect((await next.until(() => true)).type).toBe('snapshot');
});

it('a socket whose other end has gone without a word is ended (X9)', async () => {
  const reader = await new Reader().signIn();
  await reader.until(({ type }) => type === 'snapshot');
  reader.socket.pong = () => undefined;
  reader.socket.pause();
  elapse(30_000);
  elapse(30_000);
  reader.socket.resume();
  expect(await reader.closed).toBe(1006);
});
