import { describe, expect, test } from 'vitest';

import { FAMILY_MODELS, reply, sequence, startSim, systemClock } from './index.ts';
import type { Reply, SimModelOptions, SimOptions } from './index.ts';
import type { JsonObject } from './render/index.ts';

/* Replies under the grammar of a request's `format`. */

const FORMAT: JsonObject = {
  anyOf: [
    {
      type: 'object',
      properties: {
        call: { const: 'read_file' },
        with: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
      },
      required: ['call', 'with'],
    },
    { type: 'object', properties: { answer: { type: 'string' } }, required: ['answer'] },
  ],
};
const TOOL = {
  type: 'function',
  function: { name: 'read_file', parameters: { type: 'object', properties: {} } },
};
const CALL = reply().constrainedCall('read_file', { path: 'notes.md' });

interface Asked {
  status: number;
  content: string;
  thinking: string;
  pieces: number;
  reason: string | undefined;
  error: string | undefined;
  violations: string[];
}

async function ask(made: Reply, body: object = {}, options: SimOptions = {}): Promise<Asked> {
  const sim = await startSim({
    models: FAMILY_MODELS,
    gpu: { totalBytes: 96 * 2 ** 30, otherBytes: 0 },
    speed: 1e6,
    clock: systemClock(10),
    script: sequence(made),
    ...options,
  });
  try {
    const response = await fetch(`${sim.url}/api/chat`, {
      method: 'POST',
      body: JSON.stringify({
        model: 'gemma3:1b',
        messages: [{ role: 'user', content: 'What is in notes.md?' }],
        format: FORMAT,
        ...body,
      }),
    });
    const lines = (await response.text())
      .split('\n')
      .filter((line) => line !== '')
      .map(
        (line) =>
          JSON.parse(line) as {
            message?: { content: string; thinking?: string };
            done_reason?: string;
            error?: string;
          },
      );
    const contents = lines.map(({ message }) => message?.content ?? '');
    expect(sim.truth.failures).toEqual([]);
    return {
      status: response.status,
      content: contents.join(''),
      thinking: lines.map(({ message }) => message?.thinking ?? '').join(''),
      pieces: contents.filter((content) => content !== '').length,
      reason: lines.at(-1)?.done_reason,
      error: lines.at(-1)?.error,
      violations: sim.truth.violations.map(({ text }) => text),
    };
  } finally {
    await sim.close();
  }
}

describe('a constrained reply', () => {
  test.each(FAMILY_MODELS)('of $name comes in pieces and breaks no grammar', async ({ name: model }) => {
    const call = await ask(CALL, { model });
    expect(call).toMatchObject({
      status: 200,
      content: '{"call":"read_file","with":{"path":"notes.md"}}',
      reason: 'stop',
      violations: [],
    });
    expect(call.pieces).toBeGreaterThan(3);
    const answer = await ask(reply().constrainedAnswer('Milk, "bread".'), { model });
    expect(answer).toMatchObject({ content: String.raw`{"answer":"Milk, \"bread\"."}`, violations: [] });
  });

  test.each(['0.33.2', '0.40'] as const)('follows the thinking in dialect %s', async (dialect) => {
    for (const model of ['qwen3.5:9b', 'gemma4:8b', 'gpt-oss:20b']) {
      const made = reply().thinking('A file, then.').constrainedCall('read_file', { path: 'a' });
      expect(await ask(made, { model }, { dialect })).toMatchObject({
        thinking: 'A file, then.',
        content: '{"call":"read_file","with":{"path":"a"}}',
        violations: [],
      });
    }
  });

  test('may be cut by num_predict, by the script or by the request', async () => {
    const cut = await ask(CALL.cut(0.5));
    expect(cut).toMatchObject({ reason: 'length', violations: [] });
    expect(cut.content.length).toBeLessThan(30);
    const limited = await ask(CALL, { options: { num_predict: 4 } });
    expect(limited).toMatchObject({ reason: 'length', violations: [] });
    expect(limited.content).toMatch(/^\{"call/);
  });

  test('may be empty, or end without done', async () => {
    expect(await ask(reply().emptyReply())).toMatchObject({ content: '', violations: [] });
    expect(await ask(CALL.cut(1).eofWithoutDone())).toMatchObject({ reason: undefined, violations: [] });
  });
});

describe('a script that the grammar would not let happen is a violation', () => {
  test.each([
    ['prose', reply().text('I read it.'), 'not an object'],
    ['a call of a tool that is not there', reply().constrainedCall('delete_file', {}), 'at '],
    ['a call in the model’s own notation', reply().toolCall('read_file', { path: 'a' }), 'has a call'],
    ['an end in the middle', reply().text('{"answer":"mi'), 'ends too early'],
  ])('%s', async (_, made, why) => {
    const { violations } = await ask(made, { model: 'qwen3.5:9b', think: false });
    expect(violations.join()).toContain(why);
  });

  test('but not without a format', async () => {
    expect(await ask(reply().text('I read it.'), { format: null })).toMatchObject({ violations: [] });
  });
});

describe('format beside tools', () => {
  const nativeQwen: SimModelOptions = { name: 'qwen3.5-native:9b', family: 'qwen3.5', path: 'native' };

  test('is taken by templates, renderers and most native models', async () => {
    for (const model of ['qwen2.5:7b', 'qwen3.5:9b', 'llama3.1-native:8b', 'llama3.1:8b']) {
      expect(await ask(CALL, { model, tools: [TOOL] })).toMatchObject({
        status: 200,
        content: '{"call":"read_file","with":{"path":"notes.md"}}',
        violations: [],
      });
    }
  });

  test('is refused by native Qwen 3.5, which takes it without tools', async () => {
    const options = { models: [nativeQwen] };
    const refused = await ask(CALL, { model: nativeQwen.name, tools: [TOOL] }, options);
    expect(refused).toMatchObject({ status: 400, error: expect.stringContaining('failed to parse grammar') });
    expect(await ask(CALL, { model: nativeQwen.name }, options)).toMatchObject({ status: 200 });
  });
});
