import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { pipeFromWebSocket, type WindowPipe } from './socket-pipe.ts';

const megabyte = 1024 * 1024;

let server: WebSocketServer;
let page: WebSocket;
let pipe: WindowPipe;
let served: WebSocket;
beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  page = new WebSocket(`ws://127.0.0.1:${String((server.address() as AddressInfo).port)}`);
  const [[socket]] = (await Promise.all([once(server, 'connection'), once(page, 'open')])) as [
    [WebSocket],
    [],
  ];
  served = socket;
  pipe = pipeFromWebSocket(socket);
});
afterEach(() => {
  page.terminate();
  server.close();
});

test('what happens while a large answer is on its way does not cut it off', async () => {
  const heard: number[] = [];
  const both = Promise.withResolvers<void>();
  page.on('message', (data) => {
    if (heard.push((data as Buffer).length) === 2) both.resolve();
  });
  page.on('close', () => both.reject(new Error('The page was cut off.')));
  pipe.send('x'.repeat(40 * megabyte));
  pipe.send('after');
  await both.promise;
  expect(heard).toEqual([40 * megabyte + 2, 7]);
});

test('what a page sends while its socket is being closed reaches nobody (audit-S28)', async () => {
  const heard: unknown[] = [];
  pipe.onFrame((frame) => heard.push(frame));
  page.send('"before"');
  await once(served, 'message');
  // The page does not see that it is asked to close, and goes on.
  page.pause();
  served.close(4401);
  page.send('"after"');
  await once(served, 'message');
  expect(heard).toEqual(['before']);
});

test('a page that does not read what it is told is cut off', async () => {
  const closed = Promise.withResolvers<'cut off'>();
  pipe.onClose(() => closed.resolve('cut off'));
  page.pause();
  for (let sent = 0; sent < 40; sent += 1) pipe.send('x'.repeat(megabyte));
  expect(await closed.promise).toBe('cut off');
});
