import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Clock } from '../platform/clock.ts';
import { createEventStream, type EventStream } from './event-stream.ts';

/** A stream over real HTTP, with timers that run when a test says so. */
async function openStream() {
  const timers = new Map<() => void, number>();
  const clock: Pick<Clock, 'after'> = {
    after(ms, run) {
      timers.set(run, ms);
      return { cancel: () => void timers.delete(run) };
    },
  };
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const asked = get({ port: (server.address() as AddressInfo).port, agent: false });
  const [, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse];
  const stream: EventStream = createEventStream(response, clock);
  const read = async (): Promise<string> => {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    let body = '';
    for await (const part of answer) body += String(part);
    server.close();
    return body;
  };
  const silence = (): void => {
    const due = [...timers.keys()];
    for (const run of due) run();
  };
  return { stream, read, timers, silence };
}

test('a stream says in comments that it is alive while nothing new is there (Y15)', async () => {
  const { stream, read, timers, silence } = await openStream();
  stream.send({ a: 1 });
  expect([...timers.values()]).toEqual([15_000]);
  silence();
  silence();
  stream.send({ b: 2 }, 'named');
  stream.end();
  expect(await read()).toBe(
    'data: {"a":1}\n\n: nothing new yet\n\n: nothing new yet\n\nevent: named\ndata: {"b":2}\n\ndata: [DONE]\n\n',
  );
  expect(timers.size).toBe(0);
});

test('a stream that has ended says nothing more, also when its answer fails then (Y15)', async () => {
  const { stream, read, timers } = await openStream();
  stream.send({ a: 1 });
  stream.close();
  stream.fail({ name: '', message: '', status: 500, code: 'internal', hasBegun: false });
  expect(await read()).toBe('data: {"a":1}\n\n');
  expect(timers.size).toBe(0);
});
