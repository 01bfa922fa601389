import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { askHost, doneOf, plainRequest, ScriptedHosts, textOf } from '../../../test/helpers/openai-asking.ts';
import {
  callChunk,
  chunk,
  data,
  end,
  openStream,
  refusal,
  saying,
  stream,
  type Answer,
  type OpenAiServer,
} from '../../../test/helpers/openai-server.ts';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import { within } from '../../../test/helpers/waiting.ts';
import { systemClock, type Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { maxStreamBytes, maxStreamLineBytes } from '../../protocol/limits.ts';
import { createOpenAiProvider } from './openai.ts';
import { noKeys } from '../../../test/helpers/openai-asking.ts';

const hosts = new ScriptedHosts();
afterEach(() => hosts.close());

const endless: Answer = (response) => {
  response.writeHead(200, { 'Content-Type': 'text/event-stream' });
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(1024 * 1024)));
    if (!response.destroyed) response.once('drain', more);
  };
  response.write('data: ');
  more();
};

function start(server: OpenAiServer, clock = systemClock, maxOutputTokens = 100) {
  const stop = new AbortController();
  const provider = createOpenAiProvider({ clock, name: 'Lab', readKey: noKeys.keyOf });
  const asked = plainRequest(server.url, { maxOutputTokens });
  const reply = provider.stream(asked, stop.signal)[Symbol.asyncIterator]();
  return { stop, reply };
}

describe('the key is never in an error', () => {
  const key = 'sk-very-secret';
  it.each<[string, Answer]>([
    [
      'a refusal repeats it',
      refusal(401, JSON.stringify({ error: { message: `Incorrect API key: ${key}` } })),
    ],
    ['a refusal in plain text repeats it', refusal(401, `${'x'.repeat(295)}${key}`, 'text/plain')],
    ['a chunk repeats it', stream(data({ error: { message: `bad ${key}` } }))],
    ['a broken chunk repeats it', stream(`data: {${key}\n\n`)],
    ['something that is no stream repeats it', refusal(200, `<p>${key}</p>`, 'text/html')],
  ])('when %s', async (_name, answer) => {
    const { error } = await askHost(await hosts.serve(answer), {}, key);
    expect(error).toBeInstanceOf(AndironError);
    const told =
      error instanceof AndironError ? [error.message, error.advice, error.stack, String(error.cause)] : [];
    expect(told.join('\n')).not.toContain(key.slice(0, 6));
  });
});

describe('an answer that cannot be read', () => {
  it.each<[string, string | Uint8Array, string]>([
    ['is not JSON', 'data: {"choices":\n\n', 'stream_broken'],
    ['has an unknown shape', data({ choices: [{ delta: { content: 5 } }] }), 'stream_broken'],
    ['has no choices', data({ hello: 'there' }), 'stream_broken'],
    ['is not UTF-8', Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0xfe, 0x0a), 'stream_broken'],
    ['is nested too deep', `data: {"choices":${'['.repeat(5000)}${']'.repeat(5000)}}\n\n`, 'stream_broken'],
    ['is no field of a stream', '<html>\n', 'stream_broken'],
    ['is an error', data({ error: { message: 'It went wrong', code: 500 } }), 'engine_refused'],
    [
      'is an error of an older llama-server',
      'error: {"message":"It went wrong","code":500}\n\n',
      'engine_refused',
    ],
    [
      'says that the parser of the host gave up',
      data({
        error: { code: 500, message: 'The model produced output that does not match the expected format' },
      }),
      'stream_broken',
    ],
  ])('fails when a line %s, after what came before', async (_name, bad, code) => {
    const { events, error } = await askHost(
      await hosts.serve(stream(chunk({ content: 'kept' }), bad, chunk({}, 'stop'), end)),
    );
    expect(error).toMatchObject({ code });
    expect(textOf(events, 'text')).toBe('kept');
  });

  it('fails when far more comes than was asked for', async () => {
    const flood = Array.from({ length: 30 }, () => chunk({ content: 'x'.repeat(1000) }));
    const { error } = await askHost(await hosts.serve(stream(...flood, end)), { maxOutputTokens: 100 });
    expect(error).toMatchObject({ code: 'stream_broken' });
  });

  it('fails when it makes more calls than it may write tokens', async () => {
    const flood = Array.from({ length: 200 }, (_, index) => callChunk(index, { name: '', arguments: '' }));
    const { error } = await askHost(await hosts.serve(stream(...flood, chunk({}, 'stop'), end)), {
      maxOutputTokens: 100,
    });
    expect(error).toMatchObject({ code: 'stream_broken' });
  });

  it('fails on a line without end', async () => {
    expect((await askHost(await hosts.serve(endless))).error).toMatchObject({
      code: 'stream_broken',
      message: expect.stringContaining('longer than 32 MB'),
    });
  });
});

const MB = 1024 * 1024;
/** An answer of these pieces, each sent so many times, with room for the client to read in between. */
const pieces =
  (...parts: [piece: string, times: number][]): Answer =>
  async (response) => {
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    const signal = closeOf(response);
    for (const [piece, times] of parts) {
      for (let sent = 0; sent < times && !response.destroyed; sent += 1)
        if (!response.write(piece)) await once(response, 'drain', { signal }).catch(() => {});
    }
    response.end();
  };

function closeOf(response: ServerResponse): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return closed.signal;
}

const whole = chunk({ content: 'kept' }) + chunk({}, 'stop') + end;

describe('the bounds of a reply', () => {
  it('a line is read up to its bound and no further (audit-S13)', async () => {
    const frame = chunk({ content: 'kept', padding: '' }).trimEnd();
    const lineOf = (bytes: number): string =>
      `${chunk({ content: 'kept', padding: 'x'.repeat(bytes - frame.length) }).trimEnd()}\n`;
    const fits = await askHost(await hosts.serve(stream(lineOf(maxStreamLineBytes), chunk({}, 'stop'), end)));
    expect(fits.error).toBeUndefined();
    expect(textOf(fits.events, 'text')).toBe('kept');
    // Also where it ends within the piece that brings it beyond the bound.
    const { error, events } = await askHost(
      await hosts.serve(stream(lineOf(maxStreamLineBytes + 1), chunk({}, 'stop'), end)),
    );
    expect(events).toEqual([]);
    expect(error).toMatchObject({
      code: 'stream_broken',
      message: expect.stringContaining('a line is longer than 32 MB'),
    });
  });

  it('all lines together are read up to their bound and no further (audit-S13)', async () => {
    const comment = `: ${'x'.repeat(MB - 3)}\n`;
    const room = maxStreamBytes / MB - 1;
    const fits = await askHost(await hosts.serve(pieces([comment, room], [whole, 1])));
    expect(textOf(fits.events, 'text')).toBe('kept');
    expect(fits.error).toBeUndefined();
    const { error } = await askHost(await hosts.serve(pieces([comment, room + 1], [whole, 1])));
    expect(error).toMatchObject({
      code: 'stream_broken',
      message: expect.stringContaining('longer than 64 MB'),
    });
  });

  it('five million empty lines before an answer are skipped within seconds (audit-S13)', async () => {
    const flood = pieces(['\n \r\n'.repeat(16_384), 150], [whole, 1]);
    expect(textOf((await askHost(await hosts.serve(flood))).events, 'text')).toBe('kept');
  });

  it('chunks that say nothing are read no longer than a reply could have of them (audit-S13)', async () => {
    const { error } = await askHost(await hosts.serve(pieces([chunk({}).repeat(100), 13], [whole, 1])));
    expect(error).toMatchObject({
      code: 'stream_broken',
      message: expect.stringContaining('more than the 100 tokens'),
    });
    const fits = await askHost(await hosts.serve(pieces([chunk({}).repeat(100), 11], [whole, 1])));
    expect(fits.error).toBeUndefined();
  });

  it('others get their turn while many chunks that came at once are read (audit-S13)', async () => {
    // All of it is one piece of the body.
    const text = chunk({ content: 'x' }).repeat(400) + whole;
    const { reply } = start(await hosts.serve(stream(text)), systemClock, 1_000);
    let turns = 0;
    let reading = true;
    const count = (): void => {
      turns += 1;
      if (reading) setImmediate(count);
    };
    const turnsAt = new Set<number>();
    for (let next = await reply.next(); !next.done; next = await reply.next()) {
      if (turns === 0) count();
      turnsAt.add(turns);
    }
    reading = false;
    expect(turnsAt.size).toBeGreaterThanOrEqual(4);
  });

  it('a thought of many lists is put together in time that grows with it (audit-S13)', async () => {
    const thought = chunk({ reasoning_details: Array.from({ length: 40 }, () => ({ type: 'x' })) });
    const flood = pieces([thought.repeat(10), 2_000], [whole, 1]);
    const { events, error } = await askHost(await hosts.serve(flood), { maxOutputTokens: 20_000 });
    expect(error).toBeUndefined();
    expect(doneOf(events)?.extra?.['reasoning_details']).toHaveLength(800_000);
  });
});

describe('ending early', () => {
  it('closes the connection of a reply that is stopped before its first byte, then throws the reason (X12 c)', async () => {
    const server = await hosts.serve(() => undefined);
    const { stop, reply } = start(server);
    const pending = reply.next();
    const { closed } = await server.next();
    stop.abort(new AndironError('cancelled', 'Stopped.'));
    await expect(pending).rejects.toMatchObject({ code: 'cancelled' });
    expect(await within(closed, 'the connection to be closed')).toBe('closed');
  });

  it('closes the connection of a reply that is stopped while it is written', async () => {
    const server = await hosts.serve(openStream(chunk({ content: 'One' })));
    const { stop, reply } = start(server);
    await reply.next();
    const { closed } = await server.next();
    stop.abort(new AndironError('cancelled', 'Stopped.'));
    await reply.next();
    await expect(reply.next()).rejects.toMatchObject({ code: 'cancelled' });
    expect(await within(closed, 'the connection to be closed')).toBe('closed');
  });

  it('throws only when the connection is closed', async () => {
    // Time stands still, so the quiet moment that the connection waits for does not come by itself.
    const waiting: (() => void)[] = [];
    const clock: Clock = {
      ...systemClock,
      after(_ms, run) {
        waiting.push(run);
        return { cancel: () => undefined };
      },
    };
    const server = await hosts.serve(openStream(chunk({ content: 'One' })));
    const { stop, reply } = start(server, clock);
    await reply.next();
    await reply.next();
    let thrown = false;
    const pending = reply.next().catch(() => (thrown = true));
    const before = waiting.length;
    stop.abort(new AndironError('cancelled', 'Stopped.'));
    // A whole other request takes longer than a close that nobody waits for.
    await askHost(await hosts.serve(saying('Hi')));
    expect(thrown).toBe(false);
    for (const run of waiting.slice(before)) run();
    await pending;
    expect(thrown).toBe(true);
  });

  it('closes the connection of a reply that nobody reads on', async () => {
    const server = await hosts.serve(openStream(chunk({ content: 'One' })));
    const { reply } = start(server);
    await reply.next();
    await reply.return?.();
    const { closed } = await server.next();
    expect(await within(closed, 'the connection to be closed')).toBe('closed');
  });

  it('sends nothing when it was stopped before', async () => {
    const server = await hosts.serve(saying('Hi'));
    const { stop, reply } = start(server);
    stop.abort(new AndironError('cancelled', 'Stopped.'));
    await expect(reply.next()).rejects.toMatchObject({ code: 'cancelled' });
    expect(server.requests).toEqual([]);
  });

  it('waits for the first token as long as the guard does, whatever comments and roles come (H3, X12 d)', async () => {
    const clock = skippableClock();
    const server = await hosts.serve(
      openStream(': waiting\n\n', chunk({ role: 'assistant', content: null })),
    );
    const { reply } = start(server, clock);
    const pending = reply.next();
    await server.next();
    clock.skip(119_000);
    clock.skip(1_001);
    await expect(pending).rejects.toMatchObject({ code: 'stream_first_token_timeout' });
  });

  it('waits between tokens as long as the guard does (H3, X12 d)', async () => {
    const clock = skippableClock();
    const server = await hosts.serve(openStream(chunk({ content: 'One' })));
    const { reply } = start(server, clock);
    await reply.next();
    await reply.next();
    const pending = reply.next();
    clock.skip(60_001);
    await expect(pending).rejects.toMatchObject({ code: 'stream_idle_timeout' });
  });
});
