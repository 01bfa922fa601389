/**
 * What needs no chosen reply, stated once and held against the simulator and against a real Ollama.
 * A plain HTTP client on purpose: neither Andiron's wire nor the simulator's is used to judge the other.
 */
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

export interface EngineUnderTest {
  url: string;
  /** A model that can call tools, and one that cannot; null = this engine has none, and what needs it is skipped. */
  withTools: string | null;
  withoutTools: string | null;
  close(): Promise<void>;
}

interface Answer {
  status: number;
  type: string;
  body: string;
}

type Json = Record<string, unknown>;

const window = { num_ctx: 4096, num_batch: 256 };
const small = { num_predict: 4, temperature: 0, seed: 1 };
const patience = 300_000;

/** About `tokens` tokens that no other test sends. */
const longText = (name: string, tokens: number): string =>
  Array.from({ length: tokens / 2 }, (_, index) => `${name} ${index}`).join(' ');

export function describeEngine(name: string, start: () => Promise<EngineUnderTest>): void {
  describe(`the contract, held against ${name}`, () => {
    let engine: EngineUnderTest;
    let model = '';

    beforeAll(async () => {
      engine = await start();
      model = engine.withTools ?? engine.withoutTools ?? '';
    }, patience);
    afterAll(async () => {
      await engine.close();
    });

    const send = async (
      path: string,
      body?: unknown,
      method = body === undefined ? 'GET' : 'POST',
    ): Promise<Answer> => {
      const response = await fetch(engine.url + path, {
        method,
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      return {
        status: response.status,
        type: response.headers.get('content-type') ?? '',
        body: await response.text(),
      };
    };
    const json = async (path: string, body?: unknown): Promise<Json> =>
      JSON.parse((await send(path, body)).body) as Json;
    const loaded = async (): Promise<Json[]> => (await json('/api/ps'))['models'] as Json[];
    const load = (options: Json = window): Promise<Json> =>
      json('/api/generate', { model, options, shift: false, keep_alive: '10m' });
    const ask = (content: string, more: Json = {}): Promise<Json> =>
      json('/api/chat', {
        model,
        messages: [{ role: 'user', content }],
        stream: false,
        think: false,
        options: { ...window, ...small },
        truncate: false,
        shift: false,
        ...more,
      });

    const render = async (messages: Json[]): Promise<string> => {
      const answer = await ask('', { messages, _debug_render_only: true });
      return String((answer['_debug_info'] as Json)['rendered_template']);
    };

    it('says that it is there', async () => {
      expect(await send('/')).toMatchObject({ status: 200, body: 'Ollama is running' });
      expect(await json('/api/version')).toEqual({ version: expect.any(String) });
      expect(await send('/api/nothing')).toMatchObject({
        status: 404,
        type: expect.stringContaining('text/plain'),
      });
      expect((await send('/api/chat')).status).toBe(405);
    });

    it('lists its models with digest and details', async () => {
      const models = (await json('/api/tags'))['models'] as Json[];
      expect(models.map((each) => each['name'])).toContain(model);
      for (const each of models) {
        expect(each).toMatchObject({
          digest: expect.stringMatching(/^[0-9a-f]{64}$/),
          details: expect.any(Object),
        });
      }
    });

    it('shows what a model can do, and names the one that it does not have', async () => {
      expect((await json('/api/show', { model }))['capabilities']).toContain('completion');
      const missing = await send('/api/show', { model: 'no-such-model' });
      expect(missing).toMatchObject({ status: 404, body: expect.stringContaining('not found') });
    });

    it(
      'loads without a prompt, and once loaded answers a second load at once',
      async () => {
        const first = await load();
        expect(first).toMatchObject({ done: true, done_reason: 'load' });
        expect(await loaded()).toEqual([
          expect.objectContaining({ name: model, context_length: window.num_ctx }),
        ]);
        const before = await loaded();
        await load();
        expect((await loaded())[0]).toMatchObject({
          size: before[0]?.['size'],
          context_length: window.num_ctx,
        });
      },
      patience,
    );

    it('pulls nothing without a name, and deletes nothing that is not there', async () => {
      const name = { status: 400, body: '{"error":"invalid model name"}' };
      expect(await send('/api/pull', { model: 'a b' })).toMatchObject(name);
      expect(await send('/api/pull', {})).toMatchObject(name);
      expect(await send('/api/delete', { model: 'no-such-model' }, 'DELETE')).toMatchObject({
        status: 404,
        body: `{"error":"model 'no-such-model' not found"}`,
      });
      expect(await send('/api/delete', { model: '' }, 'DELETE')).toMatchObject({
        status: 400,
        body: '{"error":"model is required"}',
      });
    });

    it('refuses a keep_alive without a unit', async () => {
      expect(await send('/api/generate', { model, keep_alive: '300' })).toMatchObject({ status: 400 });
    });

    it(
      'streams whole lines, the last one with done and counters',
      async () => {
        const answer = await send('/api/chat', {
          model,
          messages: [{ role: 'user', content: 'Say hello.' }],
          think: false,
          options: { ...window, ...small },
          truncate: false,
          shift: false,
        });
        expect(answer).toMatchObject({ status: 200, type: 'application/x-ndjson' });
        expect(answer.body.endsWith('\n')).toBe(true);
        const lines = answer.body
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Json);
        expect(lines.slice(0, -1).every((line) => line['done'] === false)).toBe(true);
        expect(lines.at(-1)).toMatchObject({
          done: true,
          done_reason: expect.stringMatching(/stop|length/),
          prompt_eval_count: expect.any(Number),
        });
      },
      patience,
    );

    it(
      'reads a prompt again in a fraction of the time, because it kept it',
      async () => {
        const text = longText('again', 900);
        const first = await ask(text);
        const second = await ask(text);
        expect(second['prompt_eval_count']).toBe(first['prompt_eval_count']);
        expect(Number(second['prompt_eval_duration'])).toBeLessThan(
          Number(first['prompt_eval_duration']) / 3,
        );
        // Where the dialect counts cached tokens it must agree.
        const cached = second['prompt_eval_cached_count'] ?? second['prompt_eval_count'];
        expect(Number(cached)).toBeGreaterThan(Number(second['prompt_eval_count']) * 0.9);
      },
      patience,
    );

    it(
      'renders a prompt without generating, and the log is a prefix of what follows it',
      async () => {
        const messages = [{ role: 'user', content: 'first words' }];
        const short = await render(messages);
        const long = await render([
          ...messages,
          { role: 'assistant', content: 'an answer' },
          { role: 'user', content: 'more' },
        ]);
        const end = short.indexOf('first words') + 'first words'.length;
        expect(end).toBeGreaterThan('first words'.length - 1);
        expect(long.startsWith(short.slice(0, end))).toBe(true);
      },
      patience,
    );

    it(
      'keeps the model and what it had read when a client leaves in prefill',
      async () => {
        const text = longText('leave', 1000);
        const body = JSON.stringify({
          model,
          messages: [{ role: 'user', content: text }],
          think: false,
          options: { ...window, ...small },
          truncate: false,
          shift: false,
        });
        const fresh = await ask(longText('fresh', 1000));
        // In the middle of it, however fast this engine reads.
        await leaveDuringPrefill(engine.url, body, Number(fresh['prompt_eval_duration']) / 2e6);
        expect((await loaded()).map((each) => each['name'])).toContain(model);
        const answer = await ask(text);
        expect(Number(answer['prompt_eval_duration'])).toBeLessThan(Number(fresh['prompt_eval_duration']));
      },
      patience,
    );

    it(
      'refuses a prompt that does not fit, with its size inside the error',
      async () => {
        const answer = await send('/api/chat', {
          model,
          messages: [{ role: 'user', content: longText('long', 12_000) }],
          think: false,
          options: { ...window, ...small },
          truncate: false,
          shift: false,
        });
        expect(answer.status).toBe(400);
        const { error } = JSON.parse(answer.body) as { error: string };
        expect(JSON.parse(error)).toMatchObject({
          error: {
            type: 'exceed_context_size_error',
            n_prompt_tokens: expect.any(Number),
            n_ctx: window.num_ctx,
          },
        });
      },
      patience,
    );

    it(
      'reloads when num_ctx changes, and only then',
      async () => {
        await ask('warm', { options: { ...window, ...small, temperature: 0.7, num_predict: 2 } });
        expect((await loaded())[0]).toMatchObject({ context_length: window.num_ctx });
        await load({ ...window, num_ctx: 2048 });
        expect((await loaded())[0]).toMatchObject({ context_length: 2048 });
      },
      patience,
    );

    it('refuses tools on a model without them', async ({ skip }) => {
      if (engine.withoutTools === null) return skip('this engine has no model without tools');
      const answer = await send('/api/chat', {
        model: engine.withoutTools,
        messages: [{ role: 'user', content: 'x' }],
        tools: [
          { type: 'function', function: { name: 'f', parameters: { type: 'object', properties: {} } } },
        ],
      });
      expect(answer).toMatchObject({ status: 400, body: expect.stringContaining('does not support tools') });
    });

    it(
      'unloads when told, and forgets it in /api/ps',
      async () => {
        expect(await json('/api/generate', { model, keep_alive: 0 })).toMatchObject({
          done_reason: 'unload',
        });
        for (let tries = 0; tries < 200 && (await loaded()).length > 0; tries += 1) await nextTick();
        expect(await loaded()).toEqual([]);
      },
      patience,
    );
  });
}

/** Sends a whole body and closes the connection `ms` later, as nothing has come back yet. */
function leaveDuringPrefill(url: string, body: string, ms: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(`${url}/api/chat`, {
      method: 'POST',
      headers: { 'Content-Length': String(Buffer.byteLength(body)) },
      agent: false,
    });
    request.on('response', () => reject(new Error('The answer began before the client could leave.')));
    request.on('error', () => undefined);
    request.on('close', () => resolve());
    request.end(body, () => setTimeout(() => request.destroy(), ms));
  });
}

/** The state of another process can only be polled. */
function nextTick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}
