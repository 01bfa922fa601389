import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ContextMessage, HistoryPolicy, PromptHead } from './provider.ts';
import { toCompletionMessages } from './openai-wire.ts';
import { callNumbering, toWireMessages, toWireTools } from './wire.ts';

const head: PromptHead = {
  system: 'Be good.',
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file',
      schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    {
      name: 'list_files',
      description: 'Lists files',
      schema: { type: 'object', properties: {}, required: [] },
    },
  ],
};

const call = (id: string, path: string) => ({ id, name: 'read_file', args: { path } });
const result = (callId: string, content: string): ContextMessage => ({
  role: 'tool',
  callId,
  tool: 'read_file',
  content,
});

/** Grown a step at a time, as the loop grows it: calls come with all their results. */
const steps: ContextMessage[][] = [
  [{ role: 'user', content: 'Compare a and b' }],
  [
    { role: 'assistant', content: 'Looking.', thinking: 'Both.', calls: [call('x', 'a'), call('y', 'b')] },
    result('x', 'A'),
    result('y', 'B'),
  ],
  [{ role: 'assistant', content: '', thinking: '', calls: [call('z', 'c')] }, result('z', 'C')],
  [{ role: 'assistant', content: 'They differ.', thinking: 'So.', calls: [] }],
  [{ role: 'user', content: 'Thanks' }],
];
const log = steps.flat();

const plain: HistoryPolicy = { echoThinking: true, textBesideCall: true };
const policies: [string, HistoryPolicy][] = [
  ['as it is', plain],
  ['one call per message', { ...plain, oneCallPerMessage: true }],
  ['tools in the system text', { ...plain, toolsInSystem: true }],
  ['calls as text', { ...plain, toolsInSystem: true, callsAsText: true }],
  ['the system text in the first user message', { ...plain, toolsInSystem: true, systemInFirstUser: true }],
  ['neither thinking nor text beside a call', { echoThinking: false, textBesideCall: false }],
];

describe('what was sent stays the beginning of what is sent (X12)', () => {
  const wires: [string, (messages: ContextMessage[], policy: HistoryPolicy) => unknown[]][] = [
    ['/api/chat', (messages, policy) => toWireMessages(head, messages, policy)],
    ['/chat/completions', (messages, history) => toCompletionMessages({ head, messages, history })],
  ];
  const cases = wires.flatMap(([wire, send]) =>
    policies.map(([name, policy]) => ({
      wire,
      name,
      send: (messages: ContextMessage[]) => send(messages, policy),
    })),
  );

  it.each(cases)('$wire, $name', ({ send }) => {
    let before = '';
    for (let step = 1; step <= steps.length; step += 1) {
      const now = JSON.stringify(send(steps.slice(0, step).flat()));
      expect(now.startsWith(before)).toBe(true);
      before = now.slice(0, -1);
    }
    expect(before.length).toBeGreaterThan(100);
  });
});

describe('one call per message', () => {
  const wire = toWireMessages(head, log, { ...plain, oneCallPerMessage: true });

  it('follows each call with its own result', () => {
    expect(wire.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    for (const [at, message] of wire.entries()) {
      if (!message.tool_calls) continue;
      expect(message.tool_calls).toHaveLength(1);
      expect(wire[at + 1]?.tool_call_id).toBe(message.tool_calls[0]?.id);
    }
  });

  it('says the text and the thinking once, with the first call', () => {
    const said = wire.filter(({ role }) => role === 'assistant').map(({ content }) => content);
    expect(said).toEqual(['Looking.', '', '', 'They differ.']);
    expect(wire[4]).not.toHaveProperty('thinking');
  });

  it('keeps a result whose call is unknown', () => {
    const odd = [...steps.slice(0, 2).flat(), result('nobody', 'lost')];
    const sent = toWireMessages(head, odd, { ...plain, oneCallPerMessage: true });
    expect(sent.at(-1)?.content).toBe('lost');
  });
});

describe('tools in the system text', () => {
  it('names every tool with its schema, one per line, below the prompt', () => {
    const system = toWireMessages(head, [], { ...plain, toolsInSystem: true })[0]?.content ?? '';
    expect(system.startsWith('Be good.\n\n# Tools\n')).toBe(true);
    const lines = system.split('\n').slice(-2);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(
      head.tools.map(({ name, description, schema }) => ({ name, description, parameters: schema })),
    );
  });

  it('says how a call is written, so that a grammar does not have to force it out of the blue', () => {
    const system = toWireMessages(head, [], { ...plain, toolsInSystem: true })[0]?.content ?? '';
    expect(system).toContain('"call" is the name of the tool, "with" the object of its arguments');
  });

  it('sends no tools beside it', () => {
    expect(toWireTools(head, { toolsInSystem: true })).toEqual([]);
    expect(toWireTools(head)).toHaveLength(2);
  });

  it('adds nothing where there are no tools', () => {
    const bare = { system: 'Be good.', tools: [] };
    expect(toWireMessages(bare, [], { ...plain, toolsInSystem: true })[0]?.content).toBe('Be good.');
  });
});

describe('calls as text', () => {
  const wire = toWireMessages(head, log, { ...plain, callsAsText: true });

  it('shows each call as a constrained reply writes it, and the results as one user message', () => {
    expect(wire.slice(2, 4)).toEqual([
      {
        role: 'assistant',
        thinking: 'Both.',
        content:
          'Looking.\n{"call":"read_file","with":{"path":"a"}}\n{"call":"read_file","with":{"path":"b"}}',
      },
      { role: 'user', content: 'Result of read_file:\nA\n\nResult of read_file:\nB' },
    ]);
  });

  it('ends with the results that the model has not answered yet', () => {
    const sent = toWireMessages(head, steps.slice(0, 2).flat(), { ...plain, callsAsText: true });
    expect(sent.at(-1)).toEqual(wire[3]);
  });

  it('lets roles alternate', () => {
    const roles = wire.slice(1).map(({ role }) => role);
    expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant', 'user']);
  });
});

it('opens the first user message with the system text where that would get lost', () => {
  const wire = toWireMessages(head, log, { ...plain, systemInFirstUser: true });
  expect(wire[0]).toEqual({ role: 'user', content: 'Be good.\n\nCompare a and b' });
  expect(wire.filter(({ role }) => role === 'system')).toEqual([]);
});

describe('the ids of calls', () => {
  it('keeps one that a model has written in the strictest form', () => {
    const wireId = callNumbering();
    expect(['tool_a', 'Xy7Kp2Qa9', 'tool_b', 'Xy7Kp2Qa9', 'tool_a'].map(wireId)).toEqual([
      'c00000001',
      'Xy7Kp2Qa9',
      'c00000003',
      'Xy7Kp2Qa9',
      'c00000001',
    ]);
  });

  it('gives no id twice, whatever a model writes', () => {
    const anyId = fc.oneof(
      fc.integer({ min: 1, max: 9 }).map((at) => `c0000000${at}`),
      fc.string(),
    );
    fc.assert(
      fc.property(fc.uniqueArray(anyId), (ids) => {
        const wireIds = ids.map(callNumbering());
        expect(new Set(wireIds).size).toBe(ids.length);
        expect(wireIds.every((id) => /^[a-zA-Z0-9]{9}$/.test(id))).toBe(true);
        // A longer log says the same of what it begins with.
        expect(ids.slice(0, 3).map(callNumbering())).toEqual(wireIds.slice(0, 3));
      }),
    );
  });
});
