import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { evaluateRaw } from './raw.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Asked {
  body: unknown;
  length: string | undefined;
}

/** A server that gives every request this answer, or none at all, and what it was asked. */
async function serve(status: number, answer: object | null): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      asked.push({
        body: JSON.parse(Buffer.concat(parts).toString()),
        length: request.headers['content-length'],
      });
      if (answer)
        response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

const evaluate = (url: string, signal = new AbortController().signal) =>
  evaluateRaw({
    url,
    plan: { model: 'm', options: { num_ctx: 4096, num_batch: 256 }, shift: false },
    prompt: 'Once upon a time',
    clock: systemClock,
    signal,
  });

describe('a raw evaluation', () => {
  it('carries the load plan to the letter and its length, one token, no truncation, shift, stream and keep-alive', async () => {
    const { url, asked } = await serve(200, { response: 'x', done: true });
    await evaluate(url);
    expect(asked).toEqual([
      {
        body: {
          model: 'm',
          prompt: 'Once upon a time',
          raw: true,
          options: { num_ctx: 4096, num_batch: 256, num_predict: 1 },
          truncate: false,
          shift: false,
          stream: false,
        },
        length: expect.stringMatching(/^\d+$/),
      },
    ]);
  });

  it('tells what the engine counted; what it did not say is unknown', async () => {
    const counted = {
      prompt_eval_count: 9,
      prompt_eval_cached_count: 4,
      prompt_eval_duration: 2e6,
      eval_count: 1,
    };
    const { url } = await serve(200, { response: '', done: true, ...counted, load_duration: 3e6 });
    expect(await evaluate(url)).toEqual({
      promptTokens: 9,
      cachedTokens: 4,
      outputTokens: 1,
      promptMs: 2,
      loadMs: 3,
    });
    const silent = await serve(200, { response: '', done: true });
    expect(await evaluate(silent.url)).toEqual({
      promptTokens: null,
      cachedTokens: null,
      outputTokens: null,
      promptMs: null,
      loadMs: null,
    });
  });

  it('fails where the answer broke off, and where the engine refuses', async () => {
    const broken = await serve(200, { response: '', done: false });
    await expect(evaluate(broken.url)).rejects.toMatchObject({ code: 'stream_cut' });
    const refusing = await serve(500, { error: 'llama runner process has terminated' });
    await expect(evaluate(refusing.url)).rejects.toMatchObject({ name: 'AndironError' });
  });

  it('ends with the reason of its signal', async () => {
    const { url } = await serve(200, null);
    const controller = new AbortController();
    const evaluation = evaluate(url, controller.signal);
    const reason = new Error('enough');
    controller.abort(reason);
    await expect(evaluation).rejects.toBe(reason);
  });
});
