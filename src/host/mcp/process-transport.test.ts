import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { maxServerMessage } from '../../protocol/limits.ts';
import { ProcessTransport, type RunServer } from './process-transport.ts';

function started() {
  const input = new PassThrough();
  const over = Promise.withResolvers<{ killed: null }>();
  let io: Parameters<RunServer>[0] | undefined;
  const transport = new ProcessTransport((given) => {
    io = given;
    given.onInput?.(input);
    given.signal.addEventListener('abort', () => over.resolve({ killed: null }));
    return over.promise;
  });
  const heard: unknown[] = [];
  transport.onmessage = (message) => heard.push(message);
  const print = (text: string, stream: 'stdout' | 'stderr' = 'stdout'): void => io?.onOutput(stream, text);
  return {
    transport,
    heard,
    print,
    input,
    end: () => over.resolve({ killed: null }),
    signal: () => io?.signal,
  };
}

test('Messages are told apart by lines, however they come in pieces', async () => {
  const { transport, heard, print } = started();
  await transport.start();
  print('{"jsonrpc":"2.0",');
  print('"id":1}\n{"jsonrpc":"2.0","id":2}\n{"json');
  expect(heard).toEqual([
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 2 },
  ]);
});

test.each(['not JSON', '[1]', 'null', '"text"', `${'['.repeat(200)}${']'.repeat(200)}`])(
  'A line that is no message is skipped: %s',
  async (line) => {
    const { transport, heard, print } = started();
    await transport.start();
    print(`${line}\n{"id":1}\n`);
    expect(heard).toEqual([{ id: 1 }]);
  },
);

test('A line without an end ends the server before memory does', async () => {
  const { transport, print, signal } = started();
  let isClosed = false;
  transport.onclose = () => (isClosed = true);
  await transport.start();
  for (let sent = 0; sent <= maxServerMessage; sent += 100_000) print('x'.repeat(100_000));
  expect(signal()?.aborted).toBe(true);
  await transport.close();
  expect(isClosed).toBe(true);
});

test('A message is one line', async () => {
  const { transport, input } = started();
  await transport.start();
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: { a: 'two\nlines' } });
  expect(String(input.read())).toBe(
    '{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":"two\\nlines"}}\n',
  );
});

test('A server that has ended takes no message, and says so once', async () => {
  const { transport, end } = started();
  let closed = 0;
  transport.onclose = () => (closed += 1);
  await transport.start();
  end();
  await transport.close();
  await expect(transport.send({ jsonrpc: '2.0', method: 'x' })).rejects.toThrow('has ended');
  expect(closed).toBe(1);
});

test('A server that cannot be started rejects with the reason', async () => {
  const transport = new ProcessTransport(() => Promise.reject(new Error('no such program')));
  await expect(transport.start()).rejects.toThrow('no such program');
});

test('Of what it says beside the protocol the end is kept', async () => {
  const { transport, print } = started();
  await transport.start();
  print(`${'a'.repeat(5_000)} the end\n`, 'stderr');
  expect(transport.lastWords).toHaveLength(1_999);
  expect(transport.lastWords.endsWith('the end')).toBe(true);
});
