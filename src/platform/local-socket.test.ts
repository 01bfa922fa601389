/** The socket of the agent host, with real sockets in real folders. */
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  connectLocally,
  listenLocally,
  socketFileName,
  socketRecordName,
  type ListenOptions,
  type LocalSocket,
} from './local-socket.ts';
import type { Pipe } from './pipe.ts';

const limits = { frameBytes: 2_000, signInBytes: 200, signInMs: 50, connections: 10 };

let dataDir: string;
let open: { close(): unknown }[];
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'andiron-socket-'));
  open = [];
});
afterEach(async () => {
  for (const each of open.toReversed()) await each.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const echo = (pipe: Pipe): void => pipe.onFrame((frame) => pipe.send({ echo: frame }));

async function listen(changes: Partial<ListenOptions> = {}): Promise<LocalSocket> {
  const socket = await listenLocally({ dataDir, limits, onConnection: echo, ...changes });
  open.push(socket);
  return socket;
}

async function connected(maxFrameBytes = 1_000_000): Promise<Pipe> {
  const pipe = await connectLocally(dataDir, maxFrameBytes);
  if (!pipe) throw new Error('Nobody listens.');
  open.push(pipe);
  return pipe;
}

const nextFrame = (pipe: Pipe): Promise<unknown> => new Promise((resolve) => pipe.onFrame(resolve));
const whenClosed = (pipe: Pipe): Promise<void> => new Promise((resolve) => pipe.onClose(resolve));

/** As another program speaks to it. */
async function raw(path = join(dataDir, socketFileName)): Promise<Socket> {
  const socket = connect(path);
  open.push({ close: () => socket.destroy() });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}

test('a frame reaches the host over its socket, and the answer comes back', async () => {
  await listen();
  const pipe = await connected();
  pipe.send({ text: 'one\ntwo' });
  expect(await nextFrame(pipe)).toEqual({ echo: { text: 'one\ntwo' } });
});

test('the socket belongs to its owner alone', async () => {
  const { path } = await listen();
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a socket that a dead host left is replaced', async () => {
  const left = join(dataDir, socketFileName);
  const bind = `import os, socket; socket.socket(socket.AF_UNIX).bind(${JSON.stringify(left)})`;
  expect(spawnSync('python3', ['-c', bind]).status).toBe(0);
  await listen();
  const pipe = await connected();
  pipe.send(1);
  expect(await nextFrame(pipe)).toEqual({ echo: 1 });
});

test('a socket on which somebody answers is never replaced', async () => {
  const living = createServer().listen(join(dataDir, socketFileName));
  open.push(living);
  await once(living, 'listening');
  await expect(listen()).rejects.toThrow('another program answers');
  expect(existsSync(join(dataDir, socketFileName))).toBe(true);
});

test('a file that is no socket is left as it is', async () => {
  writeFileSync(join(dataDir, socketFileName), 'mine');
  await expect(listen()).rejects.toThrow('EADDRINUSE');
  expect(readFileSync(join(dataDir, socketFileName), 'utf8')).toBe('mine');
});

test('a data folder with a path too long for sockets is reached by a short one in a private folder', async () => {
  dataDir = join(dataDir, 'long'.padEnd(120, '-'));
  mkdirSync(dataDir);
  const socket = await listen();
  const { path } = socket;
  expect(Buffer.byteLength(path)).toBeLessThan(104);
  expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(statSync(join(dataDir, socketRecordName)).mode & 0o777).toBe(0o600);
  const pipe = await connected();
  pipe.send(1);
  expect(await nextFrame(pipe)).toEqual({ echo: 1 });
  await socket.close();
  expect([existsSync(dirname(path)), readdirSync(dataDir)]).toEqual([false, []]);
  rmSync(dirname(dataDir), { recursive: true });
});

test('the private folder of a host that died is removed by the next one', async () => {
  dataDir = join(dataDir, 'long'.padEnd(120, '-'));
  mkdirSync(dataDir);
  const first = await listen();
  // What a kill leaves.
  const record = readFileSync(join(dataDir, socketRecordName));
  await first.close();
  mkdirSync(dirname(first.path), { mode: 0o700 });
  writeFileSync(join(dataDir, socketRecordName), record);
  await listen();
  expect(existsSync(dirname(first.path))).toBe(false);
  rmSync(dirname(dataDir), { recursive: true });
});

test('a record never has a folder removed that is open to others or holds something else', async () => {
  const others = mkdtempSync(join(tmpdir(), 'andiron-socket-'));
  chmodSync(others, 0o755);
  const full = mkdtempSync(join(tmpdir(), 'andiron-socket-'));
  writeFileSync(join(full, socketFileName), 'no socket');
  for (const folder of [others, full]) {
    const path = join(folder, socketFileName);
    writeFileSync(join(dataDir, socketRecordName), JSON.stringify({ path, secret: null }));
    await (await listen()).close();
  }
  expect([existsSync(others), existsSync(join(full, socketFileName))]).toEqual([true, true]);
  for (const folder of [others, full]) rmSync(folder, { recursive: true });
});

test('nobody listens where there is no host, and where one has died', async () => {
  expect(await connectLocally(dataDir, 100)).toBeNull();
  await (await listen()).close();
  expect(await connectLocally(dataDir, 100)).toBeNull();
});

test('a line without an end closes its connection while it arrives', async () => {
  await listen();
  const socket = await raw();
  const closed = once(socket, 'close');
  socket.write('x'.repeat(limits.frameBytes + 1));
  await closed;
  expect(socket.destroyed).toBe(true);
});

test('a frame in many pieces and many frames in one piece are taken alike', async () => {
  await listen();
  const socket = await raw();
  let said = '';
  socket.on('data', (part) => (said += String(part)));
  socket.write('{"a":');
  await new Promise((resolve) => socket.write('"é', resolve));
  socket.write('"}\n2\n3\n');
  await expect.poll(() => said).toBe('{"echo":{"a":"é"}}\n{"echo":2}\n{"echo":3}\n');
});

test.each(['no JSON\n', '\n', '1\nno JSON\n2\n'])(
  'a line that is no JSON closes its connection: %j',
  async (text) => {
    await listen();
    const socket = await raw();
    const closed = once(socket, 'close');
    socket.resume();
    socket.write(text);
    await closed;
    expect(socket.destroyed).toBe(true);
  },
);

test('a client that reads nothing is not read any longer, and goes on once it reads', async () => {
  const heard: unknown[] = [];
  const answer = 'x'.repeat(100_000);
  await listen({
    onConnection: (pipe) =>
      pipe.onFrame((frame) => {
        heard.push(frame);
        pipe.send(answer);
      }),
  });
  const socket = await raw();
  socket.pause();
  // More than the host takes at once.
  const requests = 200;
  socket.write(`"${'x'.repeat(1_900)}"\n`.repeat(requests));
  // By then the host has looked at the first one many times.
  const other = await connected();
  for (let index = 0; index < 20; index += 1) {
    const answered = nextFrame(other);
    other.send('other');
    await answered;
  }
  const ofFirst = (): number => heard.filter((frame) => frame !== 'other').length;
  expect(ofFirst()).toBeLessThan(requests);
  let read = 0;
  socket.on('data', (part) => (read += part.length)).resume();
  await expect.poll(() => read).toBe(requests * (answer.length + 3));
  expect(ofFirst()).toBe(requests);
});

test('an answer larger than the client takes ends its connection', async () => {
  await listen();
  const pipe = await connected(50);
  const closed = whenClosed(pipe);
  const heard: unknown[] = [];
  pipe.onFrame((frame) => heard.push(frame));
  pipe.send('x'.repeat(100));
  await closed;
  expect(heard).toEqual([]);
});

test('closing ends the connections, after what was said last', async () => {
  const pipes: Pipe[] = [];
  const socket = await listen({ onConnection: (pipe) => pipes.push(pipe) });
  const pipe = await connected();
  const frame = nextFrame(pipe);
  const closed = whenClosed(pipe);
  await expect.poll(() => pipes.length).toBe(1);
  pipes[0]?.send('the last');
  await socket.close();
  expect(await frame).toBe('the last');
  await closed;
  expect(existsSync(join(dataDir, socketFileName))).toBe(false);
});

test('how many are connected is counted up and down', async () => {
  const counts: number[] = [];
  await listen({ onCount: (count) => counts.push(count) });
  const [one, other] = [await connected(), await connected()];
  await expect.poll(() => counts).toEqual([1, 2]);
  one.close();
  other.close();
  await expect.poll(() => counts).toEqual([1, 2, 1, 0]);
});

const withSecret = {
  choose: (folder: string) => ({ path: join(folder, 'named.pipe'), secret: 'the-secret' }),
};

test('where permissions are no proof, the secret of a private file lets in', async () => {
  await listen(withSecret);
  expect(statSync(join(dataDir, socketRecordName)).mode & 0o777).toBe(0o600);
  const pipe = await connected();
  pipe.send('x'.repeat(limits.signInBytes * 2));
  expect(await nextFrame(pipe)).toEqual({ echo: 'x'.repeat(limits.signInBytes * 2) });
});

test.each([
  '{"type":"sign-in","secret":"the-sekret"}\n',
  '{"type":"sign-in","secret":"the-secret-and-more"}\n',
  '{"type":"sign-in","secret":7}\n',
  '{"type":"request","id":1,"method":"host/subscribe","params":{}}\n',
  // Nothing: it is waited for only so long.
  '',
])('whoever does not say the secret first is let in never: %j', async (said) => {
  let admitted = 0;
  const { path } = await listen({ ...withSecret, onConnection: () => (admitted += 1) });
  const socket = await raw(path);
  const closed = once(socket, 'close');
  socket.write(said);
  await closed;
  expect(admitted).toBe(0);
});

test('whoever sends more than a secret before it is said is cut off before the time is up', async () => {
  const clock = { after: () => ({ cancel: () => undefined }) };
  const { path } = await listen({ ...withSecret, clock });
  const socket = await raw(path);
  const closed = once(socket, 'close');
  socket.write('x'.repeat(limits.signInBytes + 1));
  await closed;
  expect(socket.destroyed).toBe(true);
});
