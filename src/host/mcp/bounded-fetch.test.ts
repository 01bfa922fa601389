import { describe, expect, test } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';
import { maxServerMessage } from '../../protocol/limits.ts';

const answering = (body: string, type: string) =>
  boundedFetch(undefined, () => Promise.resolve(new Response(body, { headers: { 'content-type': type } })));
const readAll = async (body: string, type: string): Promise<number> =>
  (await (await answering(body, type)('http://127.0.0.1')).text()).length;

const long = 'x'.repeat(maxServerMessage + 1);

test('An answer that is too long is not read to its end', async () => {
  await expect(readAll(long, 'application/json')).rejects.toThrow('too long');
  expect(await readAll('{}', 'application/json')).toBe(2);
});

test('A stream may go on for ever, but none of its events may', async () => {
  const half = `data: ${'x'.repeat(maxServerMessage / 2)}\r\n\r\n`;
  expect(await readAll(half.repeat(4), 'text/event-stream')).toBe(half.length * 4);
  const oneEvent = `data: ${'x'.repeat(1_000)}\n`.repeat(Math.ceil(maxServerMessage / 1_000));
  await expect(readAll(oneEvent, 'text/event-stream; charset=utf-8')).rejects.toThrow('too long');
});

test('Certificates of the system are trusted before a server is asked over TLS, and not without it', async () => {
  let asked = 0;
  const send = boundedFetch(
    () => (asked += 1),
    () => Promise.resolve(new Response(null, { status: 202 })),
  );
  await send('http://127.0.0.1');
  expect(asked).toBe(0);
  await send('https://127.0.0.1');
  expect(asked).toBe(1);
});

/** Answers with redirects to these, one after the other, and then with a body. */
const leading = (...locations: string[]) => {
  const asked: [string, string | undefined, RequestRedirect | undefined][] = [];
  const send = boundedFetch(undefined, (address, init) => {
    asked.push([String(address), init?.method, init?.redirect]);
    const location = locations.shift();
    return Promise.resolve(
      location === undefined
        ? new Response('{}')
        : new Response(null, { status: 307, headers: { location } }),
    );
  });
  return { send, asked };
};

describe('a server that leads elsewhere', () => {
  test('is followed where that is its own, with what was sent', async () => {
    const { send, asked } = leading('/mcp/');
    expect((await send('http://127.0.0.1:9/mcp', { method: 'POST' })).status).toBe(200);
    expect(asked).toEqual([
      ['http://127.0.0.1:9/mcp', 'POST', 'manual'],
      ['http://127.0.0.1:9/mcp/', 'POST', 'manual'],
    ]);
  });

  test.each([
    'http://127.0.0.1:11434/api/delete',
    'https://127.0.0.1:9/mcp',
    '//elsewhere.example/mcp',
    'file:///etc/passwd',
    'http://',
  ])('is not followed to %s', async (location) => {
    const { send, asked } = leading(location);
    await expect(send('http://127.0.0.1:9/mcp', { method: 'POST' })).rejects.toThrow('another address');
    expect(asked).toHaveLength(1);
  });

  test('is not followed for ever', async () => {
    const { send, asked } = leading('/a', '/b', '/c', '/d', '/e');
    await expect(send('http://127.0.0.1:9/mcp')).rejects.toThrow('on and on');
    expect(asked).toHaveLength(4);
  });
});
