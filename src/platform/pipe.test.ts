import { MessageChannel } from 'node:worker_threads';
import { expect, test } from 'vitest';
import type { Transport } from '../protocol/transport.ts';
import { createPipeEnd, pipeFromPort, type PortLike } from './pipe.ts';

function recorder() {
  const sent: unknown[] = [];
  let closes = 0;
  const end = createPipeEnd({ send: (frame) => sent.push(frame), close: () => closes++ });
  return { ...end, sent, closes: () => closes };
}

test('a pipe is a transport of the protocol', () => {
  const transport: Transport = recorder().pipe;
  expect(Object.keys(transport).toSorted()).toEqual(['close', 'onClose', 'onFrame', 'send']);
});

test('frames that came before the listener are kept for it, in order', () => {
  const { pipe, receive } = recorder();
  receive(1);
  receive(2);
  const heard: unknown[] = [];
  pipe.onFrame((frame) => heard.push(frame));
  receive(3);
  expect(heard).toEqual([1, 2, 3]);
});

test('closing tells this side once and the carrier once; nothing is sent or heard afterwards', () => {
  const { pipe, receive, lost, sent, closes } = recorder();
  const heard: unknown[] = [];
  let told = 0;
  pipe.onFrame((frame) => heard.push(frame));
  pipe.onClose(() => told++);
  pipe.close();
  pipe.close();
  lost();
  pipe.send('late');
  receive('late');
  expect({ told, closes: closes(), sent, heard }).toEqual({ told: 1, closes: 1, sent: [], heard: [] });
});

test('a lost carrier is not closed by us, and a late listener learns of it at once', () => {
  const { pipe, lost, closes } = recorder();
  lost();
  let told = 0;
  pipe.onClose(() => told++);
  expect([told, closes()]).toEqual([1, 0]);
});

/** worker_threads' port hands over the value itself; Electron's an event with `data`. */
function electronStyle(port: MessageChannel['port1']): PortLike {
  return {
    postMessage: (message) => port.postMessage(message),
    on: (event: 'message' | 'close', listener: (event: { data: unknown }) => void) =>
      event === 'message'
        ? port.on('message', (data: unknown) => listener({ data }))
        : port.on('close', () => listener({ data: undefined })),
    start: () => port.start(),
    close: () => port.close(),
  };
}

test('two ports carry frames both ways, and closing one closes the other', async () => {
  const { port1, port2 } = new MessageChannel();
  const a = pipeFromPort(electronStyle(port1));
  const b = pipeFromPort(electronStyle(port2));
  a.send({ hello: 'b' });
  expect(await new Promise((resolve) => b.onFrame(resolve))).toEqual({ hello: 'b' });
  b.send('back');
  expect(await new Promise((resolve) => a.onFrame(resolve))).toBe('back');
  const closed = new Promise<void>((resolve) => b.onClose(resolve));
  a.close();
  await closed;
});
