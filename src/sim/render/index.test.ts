import { describe, expect, it } from 'vitest';
import {
  everyFamily,
  families,
  harmonyNames,
  type FamilyName,
  type Message,
  type Prompt,
  type RenderRequest,
  type Reply,
  type ThinkValue,
} from './index.ts';

const SYSTEM: Message = { role: 'system', content: 'Be brief.' };
const QUESTION: Message = { role: 'user', content: 'What is in notes.md?' };
const RESULT: Message = { role: 'tool', content: '# Notes', tool_call_id: 'c1', tool_name: 'read_file' };
const READ: Reply = {
  thinking: 'I have to read it.',
  calls: [{ name: 'read_file', arguments: { path: 'a<b>.md' } }],
};

function render(name: FamilyName, messages: readonly Message[], think?: ThinkValue): Prompt {
  const rendered = families
    .get(name)
    ?.render({ model: 'm', messages: [SYSTEM, QUESTION, ...messages], think });
  if (!rendered?.ok) {
    throw new Error(`not rendered: ${rendered?.error}`);
  }
  return rendered;
}

/** What the engine holds after `reply`: the prompt and what the model wrote behind it. */
function held(name: FamilyName, reply: Reply, before: readonly Message[] = [], think?: ThinkValue): string {
  const prompt = render(name, before, think);
  return prompt.text + (families.get(name)?.writeReply(reply, prompt.thinking) ?? '');
}

function echo({ text = '', thinking, calls = [] }: Reply): Message {
  const toolCalls = calls.map((call, index) => ({ id: `c${index + 1}`, function: call }));
  return { role: 'assistant', content: text, thinking, tool_calls: toolCalls };
}

describe('a reply and its rendering in the next prompt', () => {
  it.each(['qwen3.8', 'qwen3.5', 'gemma4-small'] as const)('agree inside a tool loop of %s', (name) => {
    const answer: Reply = { thinking: 'Now I know.', text: 'It has notes.' };
    const loop = [echo(READ), RESULT];
    expect(render(name, loop).text.startsWith(held(name, READ))).toBe(true);
    expect(render(name, [...loop, echo(answer)]).text.startsWith(held(name, answer, loop))).toBe(true);
  });

  it('still agree after the next user message only where thinking is kept', () => {
    const next = [echo(READ), RESULT, { role: 'user', content: 'Thanks' }];
    const agrees = (name: FamilyName) => render(name, next).text.startsWith(held(name, READ));
    expect([agrees('qwen3.8'), agrees('qwen3.5'), agrees('gemma4-small')]).toEqual([true, false, false]);
  });

  it('differ in nested arguments, which history sorts, packs and escapes', () => {
    const reply: Reply = { calls: [{ name: 'edit', arguments: { edits: [{ old: '<a>', new: 'b' }] } }] };
    expect(held('qwen3.8', reply)).toContain('[{"old": "<a>", "new": "b"}]');
    expect(render('qwen3.8', [echo(reply), RESULT]).text).toContain(
      String.raw`[{"new":"b","old":"\u003ca\u003e"}]`,
    );
  });

  it('differ where Gemma moves the text beside a call behind the results', () => {
    const reply: Reply = { ...READ, text: 'Let me look.' };
    expect(held('gemma4-small', reply)).toMatch(/<channel\|>Let me look\.<\|tool_call>/);
    expect(render('gemma4-small', [echo(reply), RESULT]).text).toMatch(
      /<tool_response\|>Let me look\.<turn\|>/,
    );
  });

  it('differ on Llama, whose history drops the lines before a call', () => {
    const reply: Reply = { calls: READ.calls };
    expect(held('template-llama3.1', reply)).toMatch(
      /<\|end_header_id\|>\n\n\{"name": "read_file", .*a<b>\.md"\}\}$/,
    );
    expect(render('template-llama3.1', [echo(reply), RESULT]).text).toContain(
      String.raw`<|end_header_id|>{"name": "read_file", "parameters": {"path":"a\u003cb\u003e.md"}}`,
    );
  });
});

const rendered = (name: FamilyName, messages: readonly Message[], more: Partial<RenderRequest> = {}) =>
  everyFamily.get(name)?.render({ model: 'm', messages: [SYSTEM, QUESTION, ...messages], ...more });

function textOf(...asked: Parameters<typeof rendered>): string {
  const prompt = rendered(...asked);
  return prompt?.ok ? prompt.text : '';
}

describe('the particular families', () => {
  const TALK: Message = { ...echo(READ), content: 'Let me look.' };

  it('print the day, gpt-oss and Llama always, Mistral where nobody instructs it', () => {
    const today = '2026-11-05';
    expect(textOf('template-gpt-oss', [], { today })).toContain('Current date: 2026-11-05');
    expect(textOf('native-llama3.1', [], { today })).toContain('Today Date: 05 Nov 2026');
    expect(textOf('native-mistral-small-3.2', [], { today })).not.toContain(today);
    expect(textOf('native-mistral-small-3.2', [], { today, messages: [QUESTION] })).toContain(today);
  });

  it('show gpt-oss its level of thinking, with max as high and false as none', () => {
    const levels = [undefined, true, 'low', 'max', false].map(
      (think) => /Reasoning: (\w+)/.exec(textOf('template-gpt-oss', [], { think }))?.[1],
    );
    expect(levels).toEqual(['medium', 'medium', 'low', 'high', undefined]);
  });

  it('lose a call beside text on Qwen 2.5, and the text on native Llama', () => {
    const [qwen, llama] = (['template-qwen2.5', 'native-llama3.1'] as const).map((name) =>
      textOf(name, [TALK, RESULT]),
    );
    expect([qwen?.includes('Let me look.'), qwen?.includes('notes.md"')]).toEqual([true, false]);
    expect([llama?.includes('Let me look.'), llama?.includes('a<b>.md')]).toEqual([false, true]);
  });

  it('refuse what their templates do not take', () => {
    const twice: Message = echo({ calls: [...(READ.calls ?? []), ...(READ.calls ?? [])] });
    const untyped = { type: 'function', function: { name: 'x', parameters: { properties: { a: {} } } } };
    const refusals = [
      rendered('native-llama3.1', [twice, RESULT]),
      rendered('native-mistral-small-3.2', [echo(READ), RESULT]),
      rendered('native-mistral-small-3.2', [QUESTION]),
      rendered('template-gpt-oss', [], { tools: [untyped] }),
      rendered('template-gemma3', [], { tools: [untyped] }),
    ];
    expect(refusals.map((refusal) => (refusal?.ok === false ? refusal.status : 200))).toEqual([
      400, 400, 400, 500, 400,
    ]);
  });

  it('give tools to gpt-oss under names that are identifiers, each only once', () => {
    expect(harmonyNames(['my tool.v2-x', 'my tool v2.x', '2nd', 'plain'])).toEqual([
      'my_tool_v2_x',
      'my_tool_v2_x_2',
      '_2nd',
      'plain',
    ]);
  });
});

describe('thinking', () => {
  it('is left out of a reply where the prompt closed it', () => {
    const thinkers = ['qwen3.8', 'qwen3.5', 'gemma4-small'] as const;
    expect(thinkers.map((name) => render(name, [], false).thinking)).toEqual(['closed', 'closed', 'closed']);
    expect(thinkers.filter((name) => held(name, READ, [], false).includes('I have to read it.'))).toEqual([]);
  });

  it('is closed at once by a model that has nothing to think', () => {
    expect(held('qwen3.5', { text: 'Hi.' })).toMatch(/<think>\n\n<\/think>\n\nHi\.$/);
    expect(held('gemma4-small', { text: 'Hi.' }, [echo(READ), RESULT])).toMatch(/thought\n<channel\|>Hi\.$/);
    expect(held('gemma4-small', { text: 'Hi.' })).toMatch(/<\|turn>model\nHi\.$/);
  });

  it('is refused by Llama with the name that the client sent', () => {
    expect(
      families.get('template-llama3.1')?.render({ model: 'my "model"', messages: [QUESTION], think: 'low' }),
    ).toEqual({ ok: false, status: 400, error: String.raw`"my \"model\"" does not support thinking` });
  });
});

describe('a prompt', () => {
  it('is its pieces joined', () => {
    for (const name of families.keys()) {
      const { pieces, text } = render(name, [echo(READ), RESULT]);
      expect(pieces.map((piece) => piece.text).join('')).toBe(text);
    }
  });

  it('needs a user message on Qwen 3.8, results in disguise not counting', () => {
    const messages = [SYSTEM, { role: 'user', content: '<tool_response>\nok\n</tool_response>' }];
    expect(families.get('qwen3.8')?.render({ model: 'm', messages })).toMatchObject({
      ok: false,
      status: 500,
    });
    expect(families.get('qwen3.5')?.render({ model: 'm', messages }).ok).toBe(true);
  });

  it('drops the schema keywords that Ollama does not keep and sorts properties for templates', () => {
    const properties = { path: { type: 'string', minLength: 1 }, depth: { type: ['integer', 'null'] } };
    const tools = [
      { type: 'function', function: { name: 'list', parameters: { type: 'object', properties } } },
    ];
    const declared = (name: FamilyName) => {
      const rendered = families.get(name)?.render({ model: 'm', messages: [QUESTION], tools });
      return rendered?.ok ? rendered.pieces.find((piece) => piece.kind === 'tools')?.text : undefined;
    };
    expect(declared('qwen3.5')).toContain(
      '"properties": {"path": {"type": "string"}, "depth": {"type": ["integer", "null"]}}',
    );
    expect(declared('template-llama3.1')).toContain(
      '"description":"","parameters":{"type":"object","properties":{"depth":{"type":["integer","null"]},"path":',
    );
    expect(declared('gemma4-small')).toContain(
      `properties:{depth:{type:<|"|>['INTEGER', 'NULL']<|"|>},path:{type:<|"|>STRING<|"|>}}`,
    );
  });
});
