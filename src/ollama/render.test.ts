import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { renderPrompt, type RenderedPrompt } from './render.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A server that gives every request this answer, and what it was asked. */
async function serve(status: number, answer: unknown): Promise<{ url: string; bodies: unknown[] }> {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(JSON.parse(Buffer.concat(parts).toString()));
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer));
    });
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies };
}

const render = (url: string, signal = new AbortController().signal): Promise<RenderedPrompt | null> =>
  renderPrompt({
    url,
    plan: { model: 'm', options: { num_ctx: 4096, num_batch: 256 }, shift: false },
    messages: [{ role: 'user', content: 'hi' }],
    tools: [],
    clock: systemClock,
    signal,
  });

describe('a render', () => {
  it('is asked with the load plan to the letter, without truncation, shift, stream and keep-alive', async () => {
    const { url, bodies } = await serve(200, { _debug_info: { rendered_template: '<s>hi' }, done: false });
    expect(await render(url)).toEqual({ prompt: '<s>hi' });
    expect(bodies).toEqual([
      {
        model: 'm',
        messages: [{ role: 'user', content: 'hi' }],
        options: { num_ctx: 4096, num_batch: 256, num_predict: 1 },
        truncate: false,
        shift: false,
        stream: false,
        _debug_render_only: true,
      },
    ]);
  });

  it('is nothing on a server that answers the chat instead', async () => {
    const { url } = await serve(200, { message: { role: 'assistant', content: 'Hello' }, done: true });
    expect(await render(url)).toBeNull();
  });

  it.each([
    [400, 'registry.ollama.ai/library/m:latest does not support tools'],
    [400, '"m" does not support thinking'],
    [400, '{"error":{"code":400,"message":"Unable to generate parser for this template."}}'],
    [500, '{"error":{"code":500,"message":"Jinja Exception: System message must be at the beginning."}}'],
    [500, 'template: :108:130: executing "" at <index $prop.Type 0>: index out of range'],
  ])('is refused in the words of the template (%i %s)', async (status, error) => {
    const { url } = await serve(status, { error });
    expect(await render(url)).toEqual({ refused: error });
  });

  it.each([
    [404, 'model "m" not found', 'model_missing'],
    [500, 'model failed to load, this may be due to resource limitations', 'load_failed'],
    [500, 'llama runner process has terminated: exit status 2', 'load_failed'],
    [400, 'the prompt is longer than the context length', 'context_overflow'],
    [503, 'server busy, please try again', 'engine_refused'],
    [403, '', 'engine_refused'],
  ])('fails, and is no refusal, where the engine is at fault (%i %s)', async (status, error, code) => {
    const { url } = await serve(status, { error });
    await expect(render(url)).rejects.toMatchObject({ code });
  });

  it('throws the reason of a signal that was aborted', async () => {
    const { url } = await serve(200, {});
    await expect(render(url, AbortSignal.abort(new Error('stopped')))).rejects.toThrow('stopped');
  });
});
