import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { expect, test } from 'vitest';

import { reply, sequence, startSim, systemClock } from '../index.ts';
import type { Sim } from '../index.ts';

const MODEL = 'llama3.1:8b';
const BODY = JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] });

async function withServer(use: (sim: Sim) => Promise<void>): Promise<void> {
  const sim = await startSim({
    speed: 1000,
    clock: systemClock(5),
    script: sequence(reply().prefill(1).text('one two three')),
  });
  try {
    await use(sim);
    expect(sim.truth.failures).toEqual([]);
  } finally {
    await sim.close();
  }
}

function open(sim: Sim): Promise<Socket> {
  return new Promise((resolve) => {
    const socket = connect(sim.port, '127.0.0.1', () => resolve(socket));
  });
}

const head = (...headers: string[]) =>
  ['POST /api/chat HTTP/1.1', 'Host: localhost', ...headers, '', ''].join('\r\n');

/** Sends a request, closes in prefill, and says in which phase the server noticed. */
async function phaseOfClose(sim: Sim, send: (socket: Socket) => void): Promise<string> {
  const socket = await open(sim);
  const prefill = sim.truth.next('prefill-started');
  const idle = sim.truth.next('runner-idle');
  send(socket);
  await prefill;
  socket.destroy();
  const { request } = await idle;
  expect(request?.closeSeenAt).toBeDefined();
  return request?.generated === 0 ? 'prefill' : 'generating';
}

test.each<[string, string, (socket: Socket) => void]>([
  [
    'a body with its length',
    'prefill',
    (socket) => socket.write(head(`Content-Length: ${BODY.length}`) + BODY),
  ],
  [
    'one newline behind the object',
    'prefill',
    (socket) => socket.write(`${head(`Content-Length: ${BODY.length + 1}`)}${BODY}\n`),
  ],
  [
    '4 kB of spaces behind the object',
    'generating',
    (socket) => socket.write(head(`Content-Length: ${BODY.length + 4096}`) + BODY + ' '.repeat(4096)),
  ],
  [
    'a chunked body in one packet with its end',
    'prefill',
    (socket) =>
      socket.write(
        `${head('Transfer-Encoding: chunked')}${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
      ),
  ],
  [
    'a chunked body without its end',
    'generating',
    (socket) =>
      socket.write(`${head('Transfer-Encoding: chunked')}${BODY.length.toString(16)}\r\n${BODY}\r\n`),
  ],
])('a close in prefill, after %s, is noticed in %s', async (_, phase, send) => {
  await withServer(async (sim) => {
    expect(await phaseOfClose(sim, send)).toBe(phase);
  });
});

test('a close is noticed at once behind a body of 300 kB', async () => {
  await withServer(async (sim) => {
    const body = JSON.stringify({
      model: MODEL,
      messages: [{ role: 'user', content: 'z'.repeat(300_000) }],
      truncate: true,
    });
    expect(
      await phaseOfClose(sim, (socket) => socket.write(head(`Content-Length: ${body.length}`) + body)),
    ).toBe('prefill');
  });
});

test('large answers are chunked, small ones counted, as Go does', async () => {
  await withServer(async (sim) => {
    const show = await fetch(`${sim.url}/api/show`, {
      method: 'POST',
      body: JSON.stringify({ model: MODEL, verbose: true }),
    });
    expect(show.headers.get('transfer-encoding')).toBe('chunked');
    expect((await fetch(`${sim.url}/api/version`)).headers.get('content-length')).toBe('20');
  });
});
