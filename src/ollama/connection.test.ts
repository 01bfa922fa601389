import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import { maxStreamBytes, maxStreamLineBytes } from '../protocol/limits.ts';
import { streamChat, type ChatBody } from './chat.ts';
import { createOllamaApi } from './api.ts';
import type { ChatLine } from './schemas.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function serve(handle: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(handle);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const body: ChatBody = {
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  truncate: false,
  shift: false,
};
const line = (content: string, rest: object = { done: false }): string =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', content }, ...rest })}\n`;
const doneLine = line('', { done: true, done_reason: 'stop', prompt_eval_count: 3 });

async function read(url: string, signal = new AbortController().signal): Promise<ChatLine[]> {
  const lines: ChatLine[] = [];
  for await (const each of streamChat({ url, body, clock: systemClock, signal })) lines.push(each);
  return lines;
}

const deep = (depth: number): string =>
  `{"message":{"content":"","tool_calls":[{"function":{"name":"x","arguments":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}}]},"done":false}\n`;

const failure = async (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no error',
    (e: unknown) => e,
  );

describe('a streamed chat', () => {
  it('yields every line and sends its body with Content-Length', async () => {
    let length: string | undefined;
    const url = await serve((request, response) => {
      length = request.headers['content-length'];
      response.end(line('Hel') + line('lo') + doneLine);
    });
    const lines = await read(url);
    expect(lines.map((each) => each.message.content).join('')).toBe('Hello');
    expect(lines.at(-1)?.prompt_eval_count).toBe(3);
    expect(Number(length)).toBeGreaterThan(0);
  });

  it.each(['/ollama', '/ollama/', '/', ''])(
    'is asked for below the path of the address it is sent to (%s)',
    async (path) => {
      const asked: (string | undefined)[] = [];
      const url = await serve((request, response) => {
        asked.push(request.url);
        response.end(doneLine);
      });
      await read(`${url}${path}`);
      expect(asked).toEqual([`${path.replace(/\/$/, '')}/api/chat`]);
    },
  );

  it('joins characters that were split between packets', async () => {
    const bytes = Buffer.from(line('häuser 🔥') + doneLine);
    const url = await serve((_request, response) => {
      for (const byte of bytes) response.write(Buffer.from([byte]));
      response.end();
    });
    expect((await read(url))[0]?.message.content).toBe('häuser 🔥');
  });

  it.each([
    ['is not JSON', '{"message":\n', 'stream_broken'],
    ['has an unknown shape', '{"message":{"content":5},"done":false}\n', 'stream_broken'],
    ['is not UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x0a]), 'stream_broken'],
    ['is an error', '{"error":"an error was encountered"}\n', 'engine_refused'],
  ])('fails when a line %s, after yielding what came before', async (_name, bad, code) => {
    const url = await serve((_request, response) => {
      response.write(line('kept'));
      response.write(bad);
      response.end(doneLine);
    });
    const seen: string[] = [];
    const error = await failure(
      (async () => {
        const signal = new AbortController().signal;
        for await (const each of streamChat({ url, body, clock: systemClock, signal }))
          seen.push(each.message.content);
      })(),
    );
    expect(error).toMatchObject({ code });
    expect(seen).toEqual(['kept']);
  });

  it('keeps the lines that came in one packet with the bad one', async () => {
    const url = await serve((_request, response) => response.end(`${line('kept')}not JSON\n${line('lost')}`));
    const seen: string[] = [];
    const signal = new AbortController().signal;
    const reading = (async () => {
      for await (const each of streamChat({ url, body, clock: systemClock, signal }))
        seen.push(each.message.content);
    })();
    expect(await failure(reading)).toMatchObject({ code: 'stream_broken' });
    expect(seen).toEqual(['kept']);
  });

  it('throws into nobody when more lines and the end follow a bad one', async () => {
    // What the socket still brings meets a reader that has gone; thrown there, it would end the process.
    const thrown: unknown[] = [];
    const onThrown = (error: unknown): void => void thrown.push(error);
    process.on('uncaughtException', onThrown);
    const ended = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      response.on('close', ended.resolve);
      response.write('not JSON\n');
      for (let left = 10; left > 0; left -= 1) response.write(line('more'));
      response.end(doneLine);
    });
    expect(await failure(read(url))).toMatchObject({ code: 'stream_broken' });
    await ended.promise;
    await new Promise(setImmediate);
    process.off('uncaughtException', onThrown);
    expect(thrown).toEqual([]);
  });

  it('reads past keys that mean an end elsewhere', async () => {
    const odd = { status: 'success', error: 5, done: false };
    const url = await serve((_request, response) => response.end(line('odd', odd) + line('more') + doneLine));
    expect((await read(url)).map((each) => each.message.content)).toEqual(['odd', 'more', '']);
  });

  it('refuses arguments that are nested too deep to be written again', async () => {
    const shallow = await serve((_request, response) => response.end(deep(50) + doneLine));
    expect(await read(shallow)).toHaveLength(2);
    const url = await serve((_request, response) => response.end(deep(10_000) + doneLine));
    expect(await failure(read(url))).toMatchObject({ code: 'stream_broken' });
  });

  it('reads a line up to the limit and no further', async () => {
    const long = 'x'.repeat(maxStreamLineBytes);
    const url = await serve((_request, response) => response.end(line(long.slice(0, -200)) + doneLine));
    expect((await read(url))[0]?.message.content).toHaveLength(maxStreamLineBytes - 200);
    const endless = await serve((_request, response) => response.end(long.repeat(2)));
    expect(await failure(read(endless))).toMatchObject({ code: 'stream_broken' });
  });

  it('a reply is read up to its limit and cut beyond it (audit-S13)', async () => {
    const lines = Math.floor((maxStreamBytes - 200) / line('x'.repeat(1_000_000)).length);
    const send = (response: ServerResponse, count: number): void => {
      const piece = line('x'.repeat(1_000_000));
      for (let sent = 0; sent < count; sent += 1) response.write(piece);
      response.end(doneLine);
    };
    const whole = await serve((_request, response) => send(response, lines));
    expect(await read(whole)).toHaveLength(lines + 1);
    const endless = await serve((_request, response) => send(response, lines + 1));
    expect(await failure(read(endless))).toMatchObject({
      code: 'stream_broken',
      message: expect.stringContaining('longer than 64 MB'),
    });
  });

  it('five million empty lines before an answer are skipped within seconds (audit-S13)', async () => {
    const blank = '\n \r\n'.repeat(16_384);
    const url = await serve((_request, response) => {
      for (let sent = 0; sent < 150; sent += 1) response.write(blank);
      response.end(line('kept') + doneLine);
    });
    expect((await read(url))[0]?.message.content).toBe('kept');
  });

  it('timers run while many lines that came at once are read (audit-S13)', async () => {
    const url = await serve((_request, response) => response.end(line('x').repeat(20_000) + doneLine));
    let turns = 0;
    const ticking = setInterval(() => (turns += 1), 1);
    const turnsAt: number[] = [];
    const signal = new AbortController().signal;
    for await (const _ of streamChat({ url, body, clock: systemClock, signal })) turnsAt.push(turns);
    clearInterval(ticking);
    expect(turnsAt.length).toBe(20_001);
    expect(new Set(turnsAt).size).toBeGreaterThan(20);
  });

  it.each([
    ['an error line', 200],
    ['an error body', 500],
  ])('tells the beginning of %s that never ends', async (_name, status) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(`{"error":"${'e'.repeat(1_000_000)}"}\n${doneLine}`);
    });
    const error = await failure(read(url));
    expect(error).toMatchObject({
      code: 'engine_refused',
      message: expect.stringContaining('eee') as string,
    });
    expect(String(error).length).toBeLessThan(700);
  });

  it('calls an end without done cut, also when nothing came at all', async () => {
    const url = await serve((_request, response) => response.end(line('half')));
    expect(await failure(read(url))).toMatchObject({ code: 'stream_cut' });
    const silent = await serve((_request, response) => response.end());
    expect(await failure(read(silent))).toMatchObject({ code: 'stream_cut' });
  });

  it('ignores whatever follows done', async () => {
    const url = await serve((_request, response) => response.end(doneLine + doneLine + 'garbage\n'));
    expect(await read(url)).toHaveLength(1);
  });

  it('closes the connection at once when aborted before the first line', async () => {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const url = await serve((request) => {
      request.on('close', () => closed.resolve());
      arrived.resolve();
    });
    const controller = new AbortController();
    const reading = failure(read(url, controller.signal));
    await arrived.promise;
    const reason = new AndironError('cancelled', 'stopped');
    controller.abort(reason);
    expect(await reading).toBe(reason);
    await closed.promise;
  });

  it('is closed before its iterator settles when aborted while lines come', async () => {
    const closed = Promise.withResolvers<void>();
    const url = await serve((_request, response) => {
      const timer = setInterval(() => response.write(line('x')), 10);
      response.on('close', () => {
        clearInterval(timer);
        closed.resolve();
      });
    });
    const controller = new AbortController();
    const error = await failure(
      (async () => {
        for await (const _ of streamChat({ url, body, clock: systemClock, signal: controller.signal })) {
          controller.abort(new AndironError('cancelled', 'stopped'));
        }
      })(),
    );
    expect(error).toMatchObject({ code: 'cancelled' });
    await closed.promise;
  });

  it.each([
    [404, `{"error":"model 'm' not found"}`, 'model_missing'],
    [400, '{"error":"registry.ollama.ai/library/m:latest does not support tools"}', 'model_without_tools'],
    [503, '{"error":"server busy, please try again.  maximum pending requests exceeded"}', 'engine_refused'],
    [500, '{"error":"llama-server process has terminated: out of memory"}', 'load_failed'],
    [403, '', 'engine_refused'],
    [
      400,
      JSON.stringify({
        error: JSON.stringify({
          error: {
            code: 400,
            message: 'too long',
            type: 'exceed_context_size_error',
            n_prompt_tokens: 900,
            n_ctx: 512,
          },
        }),
      }),
      'context_overflow',
    ],
  ])('explains HTTP %i %s', async (status, text, code) => {
    const url = await serve((_request, response) => {
      response.writeHead(status, { 'Content-Type': text ? 'application/json' : 'text/plain' });
      response.end(text);
    });
    expect(await failure(read(url))).toMatchObject({ code });
  });

  it('says that Ollama does not answer when nothing listens', async () => {
    const url = await serve(() => undefined);
    servers.splice(0).forEach((server) => server.close());
    expect(await failure(read(url))).toMatchObject({ code: 'engine_unavailable' });
  });
});

describe('a short call', () => {
  it('refuses an answer that is not Ollama’s', async () => {
    const url = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end('{"hello":"world"}');
    });
    const api = createOllamaApi(systemClock);
    expect(await failure(api.version(url, new AbortController().signal))).toMatchObject({
      code: 'engine_refused',
    });
  });

  it('sends the load plan to the letter, with keep_alive and an empty prompt', async () => {
    const seen = Promise.withResolvers<unknown>();
    const url = await serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.resolve(JSON.parse(Buffer.concat(chunks).toString()));
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end('{"model":"m","response":"","done":true,"done_reason":"load"}');
      });
    });
    const plan = { model: 'm', options: { num_ctx: 8192 }, shift: false as const };
    await createOllamaApi(systemClock).load(url, plan, '10m', new AbortController().signal);
    expect(await seen.promise).toEqual({
      model: 'm',
      prompt: '',
      options: { num_ctx: 8192 },
      shift: false,
      keep_alive: '10m',
      stream: false,
    });
  });
});
