import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import { createOllamaApi } from './api.ts';

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

async function serve(handle: RequestListener): Promise<string> {
  const made = createServer(handle);
  server = made;
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((made.address() as AddressInfo).port)}`;
}

const api = createOllamaApi(systemClock);
const { signal } = new AbortController();

const replies = [
  ['version', '{"version":"0.40.2"}', (url: string) => api.version(url, signal)],
  ['ps', '{"models":[]}', (url: string) => api.ps(url, signal)],
  ['tags', '{"models":[]}', (url: string) => api.tags(url, signal)],
  ['show', '{"capabilities":["tools"]}', (url: string) => api.show(url, 'm', signal)],
  ['recommendations', '{"recommendations":[]}', (url: string) => api.recommendations(url, signal)],
] as const;

test.each(replies)('a %s reply of exactly its limit is read (audit-S13)', async (name, json, ask) => {
  const url = await serve((_request, response) => response.end(json.padEnd(maxReplyBytes[name])));
  await expect(ask(url)).resolves.toBeDefined();
});

test.each(replies)('a %s reply one byte above its limit is refused (audit-S13)', async (name, json, ask) => {
  const url = await serve((_request, response) => response.end(json.padEnd(maxReplyBytes[name] + 1)));
  await expect(ask(url)).rejects.toMatchObject({
    code: 'engine_reply_too_long',
    advice: expect.stringContaining('address of Ollama'),
  });
});

test.each(replies)(
  'a server that never ends its %s reply is left at the limit (audit-S13)',
  async (name, _, ask) => {
    const left = Promise.withResolvers<void>();
    let sent = 0;
    const piece = Buffer.alloc(64 * 1024, ' ');
    const url = await serve((_request, response) => {
      response.on('close', () => left.resolve());
      const send = (): void => {
        while (!response.destroyed) {
          sent += piece.length;
          if (!response.write(piece)) break;
        }
      };
      response.on('drain', send);
      send();
    });
    await expect(ask(url)).rejects.toMatchObject({ code: 'engine_reply_too_long' });
    await left.promise;
    // What lies in the buffers of two sockets comes on top.
    expect(sent).toBeLessThan(maxReplyBytes[name] + 16 * 1024 * 1024);
  },
);

const nested = (levels: number): string => '{"a":'.repeat(levels) + '1' + '}'.repeat(levels);

test('a reply nested to the limit is read, one level deeper it is refused (audit-S12)', async () => {
  let levels = 62;
  const url = await serve((_request, response) => response.end(`{"model_info":{"x":${nested(levels)}}}`));
  await expect(api.show(url, 'm', signal)).resolves.toHaveProperty('model_info');
  levels += 1;
  await expect(api.show(url, 'm', signal)).rejects.toMatchObject({ code: 'engine_refused' });
});

test.each(['{"version":', '[]', 'x'])('%s is no answer of Ollama', async (body) => {
  const url = await serve((_request, response) => response.end(body));
  await expect(api.version(url, signal)).rejects.toHaveProperty('code');
});
