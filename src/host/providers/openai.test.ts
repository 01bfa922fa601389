import { afterEach, describe, expect, it } from 'vitest';
import { grammar, object } from '../../rules/grammar/schema.ts';
import { askHost, callsOf, doneOf, ScriptedHosts, textOf } from '../../../test/helpers/openai-asking.ts';
import {
  callChunk,
  chunk,
  data,
  end,
  refusal,
  saying,
  stream,
  type OpenAiServer,
} from '../../../test/helpers/openai-server.ts';

const hosts = new ScriptedHosts();
afterEach(() => hosts.close());

const sent = (server: OpenAiServer) => JSON.parse(server.requests[0]?.text ?? '') as Record<string, unknown>;
const wholeCall = (name: string) =>
  chunk({ tool_calls: [{ id: name, function: { name, arguments: '{}' } }] });
const listed = (text: string) => chunk({ reasoning_details: [{ type: 'reasoning.text', text }] });

describe('an answer of an OpenAI-compatible host (A13)', () => {
  it('comes as text, and ends with the model that really gave it (F9)', async () => {
    const { events, error } = await askHost(await hosts.serve(saying('Hello')));
    expect(error).toBeUndefined();
    expect(events).toEqual([
      { type: 'opened', model: 'served' },
      { type: 'text', text: 'Hello' },
      expect.objectContaining({ type: 'done', reason: 'stop', model: 'served' }),
    ]);
  });

  it('is the same in whatever pieces its bytes come', async () => {
    const whole = Buffer.from(`: hello\r\n\r\n${chunk({ content: 'häuser 🔥' })}${chunk({}, 'stop')}${end}`);
    const bytes = [...whole].map((byte) => Uint8Array.of(byte));
    expect(textOf((await askHost(await hosts.serve(stream(...bytes)))).events, 'text')).toBe('häuser 🔥');
  });

  it('says that it was cut by the token limit', async () => {
    const { events } = await askHost(
      await hosts.serve(stream(chunk({ content: 'Hel' }), chunk({}, 'length'), end)),
    );
    expect(doneOf(events)?.reason).toBe('length');
  });

  it('is whole without the last line, when the end was given a reason', async () => {
    const { events, error } = await askHost(
      await hosts.serve(stream(chunk({ content: 'Hi' }), chunk({}, 'stop'))),
    );
    expect(error).toBeUndefined();
    expect(doneOf(events)).toBeDefined();
  });

  it('was cut when it ends with neither a reason nor the last line', async () => {
    const { events, error } = await askHost(await hosts.serve(stream(chunk({ content: 'Hi' }))));
    expect(error).toMatchObject({ code: 'stream_cut' });
    expect(textOf(events, 'text')).toBe('Hi');
    expect(doneOf(events)).toBeUndefined();
  });

  it('is no answer without a choice (N1)', async () => {
    expect((await askHost(await hosts.serve(stream(data({ choices: [] }), end)))).error).toMatchObject({
      code: 'empty_reply',
    });
  });

  it('may be empty', async () => {
    const { events, error } = await askHost(await hosts.serve(stream(chunk({}, 'stop'), end)));
    expect(error).toBeUndefined();
    expect(events.map(({ type }) => type)).toEqual(['opened', 'done']);
  });
});

describe('the counters', () => {
  const usage = { prompt_tokens: 40, completion_tokens: 5, prompt_tokens_details: { cached_tokens: 30 } };

  it('come from the usage that was asked for', async () => {
    const server = await hosts.serve(
      stream(chunk({ content: 'Hi' }), chunk({}, 'stop'), data({ choices: [], usage }), end),
    );
    const { events } = await askHost(server);
    expect(sent(server)).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    expect(doneOf(events)?.counters).toEqual({
      promptTokens: 40,
      cachedTokens: 30,
      outputTokens: 5,
      promptMs: null,
      outputMs: null,
      loadMs: null,
    });
  });

  it('come from the timings of llama-server too, which know the milliseconds', async () => {
    const timings = { cache_n: 30, prompt_n: 10, prompt_ms: 12.5, predicted_n: 5, predicted_ms: 80 };
    const { events } = await askHost(
      await hosts.serve(stream(chunk({ content: 'Hi' }), chunk({}, 'stop', { timings }), end)),
    );
    expect(doneOf(events)?.counters).toMatchObject({
      promptTokens: 40,
      cachedTokens: 30,
      outputTokens: 5,
      promptMs: 12.5,
      outputMs: 80,
    });
  });

  it('are unknown where nothing was said, never zero', async () => {
    const { events } = await askHost(await hosts.serve(saying('Hi')));
    expect(Object.values(doneOf(events)?.counters ?? {})).toEqual(Array(6).fill(null));
  });
});

describe('calls', () => {
  it('are put together by their index, and come when the reply is complete', async () => {
    const server = await hosts.serve(
      stream(
        callChunk(0, { id: 'a', name: 'read_file', arguments: '' }),
        callChunk(0, { arguments: '{"path":' }),
        callChunk(1, { id: 'b', name: 'list_files', arguments: '{}' }),
        callChunk(0, { arguments: '"x"}' }),
        chunk({}, 'tool_calls'),
        end,
      ),
    );
    const { events } = await askHost(server);
    expect(events.map(({ type }) => type)).toEqual(['opened', 'call', 'call', 'done']);
    expect(callsOf(events)).toEqual([
      { type: 'call', id: 'a', name: 'read_file', args: { path: 'x' } },
      { type: 'call', id: 'b', name: 'list_files', args: {} },
    ]);
  });

  it('are told apart without an index, when each comes whole', async () => {
    const { events } = await askHost(
      await hosts.serve(stream(wholeCall('a'), wholeCall('b'), chunk({}, 'tool_calls'), end)),
    );
    expect(callsOf(events).map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('have no arguments when nothing was written', async () => {
    const { events } = await askHost(
      await hosts.serve(stream(callChunk(0, { name: 'x' }), chunk({}, 'tool_calls'), end)),
    );
    expect(callsOf(events)).toEqual([{ type: 'call', id: undefined, name: 'x', args: {} }]);
  });

  it.each(['{"path": ', '[1]', '"text"', `{"a":${'['.repeat(300)}${']'.repeat(300)}}`])(
    'keep arguments that are no JSON object as they were written: %s',
    async (written) => {
      const piece = callChunk(0, { id: 'a', name: 'x', arguments: written });
      const { events, error } = await askHost(await hosts.serve(stream(piece, chunk({}, 'tool_calls'), end)));
      expect(error).toBeUndefined();
      expect(callsOf(events)).toEqual([{ type: 'call', id: 'a', name: 'x', args: {}, unread: written }]);
    },
  );

  it('never come from a reply that was cut', async () => {
    const { events, error } = await askHost(
      await hosts.serve(stream(callChunk(0, { name: 'x', arguments: '{}' }))),
    );
    expect(error).toMatchObject({ code: 'stream_cut' });
    expect(callsOf(events)).toEqual([]);
  });
});

describe('reasoning (K1, Q22)', () => {
  it.each(['reasoning', 'reasoning_content', 'thinking', 'inner_thoughts'])(
    'in the field %s is shown as thinking and kept under its name',
    async (field) => {
      const server = await hosts.serve(
        stream(
          chunk({ [field]: 'Let me ' }),
          chunk({ [field]: 'see.' }),
          chunk({ content: 'Yes' }),
          chunk({}, 'stop'),
          end,
        ),
      );
      const { events } = await askHost(server);
      expect(textOf(events, 'thinking')).toBe('Let me see.');
      expect(textOf(events, 'text')).toBe('Yes');
      expect(doneOf(events)?.extra).toEqual({ [field]: 'Let me see.' });
    },
  );

  it('that comes under two names is shown once and kept under both', async () => {
    const piece = chunk({ reasoning: 'Hm.', reasoning_content: 'Hm.' });
    const { events } = await askHost(await hosts.serve(stream(piece, chunk({}, 'stop'), end)));
    expect(textOf(events, 'thinking')).toBe('Hm.');
    expect(doneOf(events)?.extra).toEqual({ reasoning: 'Hm.', reasoning_content: 'Hm.' });
  });

  it('that holds no words is kept and not shown', async () => {
    const server = await hosts.serve(stream(chunk({ reasoning_signature: 7 }), chunk({}, 'stop'), end));
    const { events } = await askHost(server);
    expect(events.map(({ type }) => type)).toEqual(['opened', 'done']);
    expect(doneOf(events)?.extra).toEqual({ reasoning_signature: 7 });
  });

  it('that comes as lists is read out of them, and kept as one list', async () => {
    const { events } = await askHost(
      await hosts.serve(stream(listed('A'), listed('B'), chunk({}, 'stop'), end)),
    );
    expect(textOf(events, 'thinking')).toBe('AB');
    expect(doneOf(events)?.extra).toEqual({
      reasoning_details: [
        { type: 'reasoning.text', text: 'A' },
        { type: 'reasoning.text', text: 'B' },
      ],
    });
  });
});

describe('what is sent', () => {
  const tool = {
    name: 'read_file',
    description: 'Reads',
    schema: {
      type: 'object' as const,
      properties: { path: { type: 'string' as const } },
      required: ['path'],
    },
  };

  it('has Content-Length, and no tools when there are none (F5)', async () => {
    const server = await hosts.serve(saying('Hi'));
    await askHost(server, { sampling: { temperature: 0.2, top_k: undefined } });
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/chat/completions' });
    expect(Number(server.requests[0]?.headers['content-length'])).toBe(server.requests[0]?.text.length);
    expect(sent(server)).toEqual({
      model: 'm',
      messages: [
        { role: 'system', content: 'Be good.' },
        { role: 'user', content: 'Hi' },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 100,
      temperature: 0.2,
    });
  });

  it('has calls with their arguments as a text, results by their id, and reasoning under the name it came with', async () => {
    const server = await hosts.serve(saying('Hi'));
    await askHost(server, {
      head: { system: '', tools: [tool] },
      messages: [
        { role: 'user', content: 'Read x' },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          extra: { reasoning: 'Hm.' },
          calls: [{ id: 'tool_0123456789ab', name: 'read_file', args: { path: 'x' } }],
        },
        { role: 'tool', callId: 'tool_0123456789ab', tool: 'read_file', content: 'X' },
        { role: 'assistant', content: 'It says X.', thinking: 'Done.', calls: [] },
      ],
    });
    expect(sent(server)).toMatchObject({
      tools: [
        { type: 'function', function: { name: 'read_file', description: 'Reads', parameters: tool.schema } },
      ],
      messages: [
        { role: 'user', content: 'Read x' },
        {
          role: 'assistant',
          content: '',
          reasoning: 'Hm.',
          tool_calls: [
            { id: 'c00000001', type: 'function', function: { name: 'read_file', arguments: '{"path":"x"}' } },
          ],
        },
        { role: 'tool', tool_call_id: 'c00000001', name: 'read_file', content: 'X' },
        { role: 'assistant', content: 'It says X.', reasoning_content: 'Done.' },
      ],
    });
  });

  it('has no reasoning where the template loses it', async () => {
    const server = await hosts.serve(saying('Hi'));
    await askHost(server, {
      history: { echoThinking: false, textBesideCall: true },
      messages: [
        { role: 'user', content: 'a' },
        { role: 'assistant', content: 'b', thinking: 'c', extra: { reasoning: 'c' }, calls: [] },
        { role: 'user', content: 'd' },
      ],
    });
    expect(sent(server)['messages']).toContainEqual({ role: 'assistant', content: 'b' });
  });

  it('has the schema that a reply must follow', async () => {
    const server = await hosts.serve(saying('{}'));
    const format = grammar(object({}));
    await askHost(server, { format });
    expect(sent(server)['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'reply', strict: true, schema: format },
    });
  });

  it.each([400, 422, 501])(
    'with a schema is asked without it where a host refuses both in its own words: %i',
    async (status) => {
      const format = grammar(object({}));
      const refuse = () =>
        refusal(status, JSON.stringify({ error: { message: 'These two cannot go together.' } }));
      const held = await askHost(await hosts.serve(refuse()), { format });
      expect(held.error).toMatchObject({
        code: 'grammar_refused',
        message: expect.stringContaining('go together') as string,
      });
      const free = await askHost(await hosts.serve(refuse()));
      expect(free.error).toMatchObject({ code: 'engine_refused' });
    },
  );

  it('with a schema is not blamed on it where the key is wrong or the host is in trouble', async () => {
    const format = grammar(object({}));
    for (const status of [401, 500]) {
      const { error } = await askHost(await hosts.serve(refusal(status, '{}')), { format });
      expect(error).not.toMatchObject({ code: 'grammar_refused' });
    }
  });

  it.each([
    [false, { chat_template_kwargs: { enable_thinking: false } }],
    ['low', { reasoning_effort: 'low' }],
  ])('says how to think: %s', async (think, fields) => {
    const server = await hosts.serve(saying('Hi'));
    await askHost(server, { think });
    expect(sent(server)).toMatchObject(fields);
  });

  it('carries the key, and no header without one', async () => {
    const server = await hosts.serve(saying('Hi'));
    await askHost(server, {}, 'sk-secret');
    await askHost(server);
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer sk-secret',
      undefined,
    ]);
  });
});
