import { describe, expect, test } from 'vitest';

import { FAMILY_MODELS, reply, sequence, startSim, systemClock } from './index.ts';
import type { Reply, Script, Sim, SimOptions } from './index.ts';
import { everyFamily } from './render/index.ts';
import type { Json, Message, Tool, ToolCall } from './render/index.ts';

/* Whole conversations over HTTP with a model of every family. */

const READ: Tool = {
  type: 'function',
  function: {
    name: 'read_file',
    description: 'Reads a file.',
    parameters: { type: 'object', required: ['path'], properties: { path: { type: 'string' } } },
  },
};
const BEGINNING: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'What is in notes.md?' },
];
const ID = 'abcdefgh1';

interface Line {
  message: { content: string; thinking?: string; tool_calls?: ToolCall[] };
  done_reason?: string;
  error?: string;
}

async function withModels<T>(options: SimOptions, use: (sim: Sim) => Promise<T>): Promise<T> {
  const gpu = { totalBytes: 96 * 2 ** 30, otherBytes: 0 };
  const sim = await startSim({ models: FAMILY_MODELS, gpu, speed: 1e6, clock: systemClock(10), ...options });
  try {
    const value = await use(sim);
    expect(sim.truth.failures).toEqual([]);
    return value;
  } finally {
    await sim.close();
  }
}

async function post(sim: Sim, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${sim.url}/api/chat`, { method: 'POST', body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

/** A whole answer of the chat endpoint, its lines put together. */
async function chat(sim: Sim, body: object): Promise<Line['message'] & { reason: string; pieces: string[] }> {
  const { status, text } = await post(sim, body);
  expect(text, 'the answer').not.toContain('"error"');
  expect(status).toBe(200);
  const lines = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
  return {
    content: lines.map(({ message }) => message.content).join(''),
    thinking: lines.map(({ message }) => message.thinking ?? '').join(''),
    tool_calls: lines.flatMap(({ message }) => message.tool_calls ?? []),
    reason: lines.at(-1)?.done_reason ?? '',
    pieces: lines.map(({ message }) => message.content).filter((content) => content !== ''),
  };
}

async function render(sim: Sim, body: object): Promise<string> {
  const { status, text } = await post(sim, { ...body, stream: false, _debug_render_only: true });
  if (status !== 200) return text;
  const answer = JSON.parse(text) as Record<string, { rendered_template: string }>;
  return answer['_debug_info']?.rendered_template ?? '';
}

/** Reads a file and tells what is in it. */
const reading = (): Script =>
  sequence(
    reply().thinking('I have to read it.').toolCall('read_file', { path: 'notes.md' }),
    reply().thinking('Now I know.').text('It has milk in it.'),
  );

const answered = (made: Reply, body: object) =>
  withModels({ script: sequence(made) }, (sim) => chat(sim, body));

const callers = FAMILY_MODELS.filter(({ family }) => everyFamily.get(family)?.capabilities.includes('tools'));

test('there is a model of every family', () => {
  expect(FAMILY_MODELS.map(({ family }) => family)).toEqual([...everyFamily.keys()]);
});

describe.each(callers)('$name', ({ name: model, family }) => {
  const thinks = everyFamily.get(family)?.capabilities.includes('thinking') ?? false;
  test('a session with a call and its result is understood and never refused', async () => {
    await withModels({ script: reading(), refuseUnpaired: true }, async (sim) => {
      const first = await chat(sim, { model, messages: BEGINNING, tools: [READ] });
      expect(first.tool_calls).toMatchObject([
        { function: { index: 0, name: 'read_file', arguments: { path: 'notes.md' } } },
      ]);
      expect([first.content, first.thinking]).toEqual(['', thinks ? 'I have to read it.' : '']);
      const [made] = first.tool_calls ?? [];
      // A client chooses ids that every family takes.
      const call = { id: ID, function: made?.function };
      const messages = [
        ...BEGINNING,
        { role: 'assistant', content: '', thinking: first.thinking, tool_calls: [call] },
        { role: 'tool', content: 'milk', tool_call_id: ID, tool_name: 'read_file' },
      ];
      const second = await chat(sim, { model, messages, tools: [READ] });
      expect(second.content).toContain('It has milk in it.');
      expect(sim.truth.violations).toEqual([]);
      const prompt = await render(sim, { model, messages, tools: [READ] });
      expect(prompt).toMatch(/read_file[\s\S]*notes\.md[\s\S]*milk/);
    });
  });

  test('renders what the template is asked about without noting a violation', async () => {
    await withModels({ refuseUnpaired: true }, async (sim) => {
      const twoCalls: Message[] = ['a', 'b'].map((path) => ({
        role: 'assistant',
        content: '',
        tool_calls: [{ id: ID, function: { name: 'read_file', arguments: { path } } }],
      }));
      const rendered = await render(sim, { model, messages: [...BEGINNING, ...twoCalls], tools: [READ] });
      expect(rendered.length).toBeGreaterThan(20);
      expect(sim.truth.requests.map(({ endpoint }) => endpoint)).toEqual(['/api/chat#render']);
      expect(sim.truth.violations).toEqual([]);
    });
  });
});

/** The history repeats a call as the model wrote it, or nearly so. */
const REPEATING = new Set<string>([
  'template-gpt-oss',
  'template-qwen2.5',
  'native-llama3.1',
  'native-mistral-small-3.2',
]);

describe.each(callers.filter(({ family }) => REPEATING.has(family)))('$name', ({ name: model, family }) => {
  test('what it wrote is found in the cache when the result comes', async () => {
    await withModels({ script: reading() }, async (sim) => {
      const first = await chat(sim, { model, messages: BEGINNING, tools: [READ] });
      const written = sim.truth.last();
      const [call] = first.tool_calls ?? [];
      await chat(sim, {
        model,
        messages: [
          ...BEGINNING,
          { role: 'assistant', content: '', thinking: first.thinking, tool_calls: [call] },
          { role: 'tool', content: 'milk', tool_call_id: call?.id, tool_name: 'read_file' },
        ],
        tools: [READ],
      });
      const all = (written?.promptTokens ?? 0) + (written?.generated ?? 0);
      // The Go template packs the arguments, the others write them as the model does.
      const most = family === 'template-qwen2.5' ? 9 : 1;
      expect(all - (sim.truth.last()?.cached ?? 0)).toBeLessThanOrEqual(most);
    });
  });
});

describe('what single families do', () => {
  test('gpt-oss writes one call at a time, thinks all the same when told not to, and refuses levels that it lacks', async () => {
    const two = reply()
      .thinking('Hm.')
      .toolCall('read_file', { path: 'a' })
      .toolCall('read_file', { path: 'b' });
    const body = { model: 'gpt-oss:20b', messages: BEGINNING, tools: [READ], think: false };
    const { thinking, tool_calls: calls } = await answered(two, body);
    expect([thinking, calls?.length]).toEqual(['Hm.', 1]);
    await withModels({}, async (sim) => {
      expect(await post(sim, { ...body, think: 'extreme' })).toMatchObject({ status: 400 });
      expect(await render(sim, { ...body, think: 'low' })).toContain('Reasoning: low');
      expect(await render(sim, body)).not.toContain('Reasoning:');
    });
  });

  test('native Llama writes two calls and then refuses to read them', async () => {
    const two = reply().toolCall('read_file', { path: 'a' }).toolCall('read_file', { path: 'b' });
    const body = { model: 'llama3.1-native:8b', messages: BEGINNING, tools: [READ] };
    const { tool_calls: calls = [] } = await answered(two, body);
    expect(calls).toHaveLength(2);
    const messages = [
      ...BEGINNING,
      { role: 'assistant', content: '', tool_calls: calls },
      ...calls.map(({ id }) => ({ role: 'tool', content: 'x', tool_call_id: id, tool_name: 'read_file' })),
    ];
    await withModels({}, async (sim) => {
      const { status, text } = await post(sim, { ...body, messages });
      expect([status, text]).toEqual([400, expect.stringContaining('only supports single tool-calls')]);
    });
  });

  test('a native model may go on behind a call', async () => {
    const made = reply().text('One, ').toolCall('read_file', { path: 'a' }).text('two.');
    const body = { model: 'llama3.1-native:8b', messages: BEGINNING, tools: [READ] };
    expect(await answered(made, body)).toMatchObject({
      content: 'One, two.',
      tool_calls: [{ function: { name: 'read_file', arguments: { path: 'a' } } }],
    });
  });

  test('native Mistral writes ids of nine letters itself, and refuses others', async () => {
    const body = { model: 'mistral-small3.2:24b', messages: BEGINNING, tools: [READ] };
    const { tool_calls: calls = [] } = await answered(reply().toolCall('read_file', { path: 'a' }), body);
    expect(calls[0]?.id).toMatch(/^\w{9}$/);
    await withModels({}, async (sim) => {
      const call = { id: 'call_12345678', function: { name: 'read_file', arguments: {} } };
      const result = { role: 'tool', content: 'x', tool_call_id: call.id, tool_name: 'read_file' };
      const messages = [...BEGINNING, { role: 'assistant', content: '', tool_calls: [call] }, result];
      expect(await post(sim, { ...body, messages })).toMatchObject({ status: 400 });
    });
  });

  test('Gemma 3 takes no tools, and prints no template that has any', async () => {
    const body = { model: 'gemma3:1b', messages: BEGINNING, tools: [READ] };
    await withModels({}, async (sim) => {
      expect(await post(sim, body)).toEqual({
        status: 400,
        text: '{"error":"registry.ollama.ai/library/gemma3:1b does not support tools"}',
      });
      const shown = await fetch(`${sim.url}/api/show`, {
        method: 'POST',
        body: JSON.stringify({ model: 'gemma3:1b' }),
      });
      expect(await shown.json()).toMatchObject({
        capabilities: ['completion'],
        thinking: { values: [false], default: false },
      });
    });
  });

  test('a native model of a tool family hides in the list of models that it has tools', async () => {
    await withModels({}, async (sim) => {
      const { models } = (await (await fetch(`${sim.url}/api/tags`)).json()) as { models: Json[] };
      expect(models).toContainEqual(
        expect.objectContaining({ name: 'llama3.1-native:8b', capabilities: ['completion'] }),
      );
    });
  });
});
