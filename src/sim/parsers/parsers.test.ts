import { describe, expect, test } from 'vitest';

import type { Tool } from '../render/index.ts';
import { GemmaParser } from './gemma.ts';
import { GoTemplateParser } from './go-template.ts';
import { HarmonyParser } from './harmony.ts';
import { ParseFailure } from './parser.ts';
import type { Parsed, ReplyParser } from './parser.ts';
import { QwenParser } from './qwen.ts';

const TOOLS: Tool[] = [
  {
    type: 'function',
    function: {
      name: 'write_file',
      parameters: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          count: { type: 'integer' },
          force: { type: 'boolean' },
          tags: { type: 'array' },
        },
      },
    },
  },
];

/** Feeds pieces and joins what came out. */
function read(parser: ReplyParser, pieces: readonly string[]): Parsed {
  const outputs = [...pieces.map((piece) => parser.add(piece, false)), parser.add('', true)];
  return {
    content: outputs.map(({ content }) => content).join(''),
    thinking: outputs.map(({ thinking }) => thinking).join(''),
    calls: outputs.flatMap(({ calls }) => calls),
  };
}

/** The same text in one piece, in single characters, and cut in two at every place. */
function cuts(text: string): string[][] {
  const twos = Array.from({ length: text.length - 1 }, (_, at) => [
    text.slice(0, at + 1),
    text.slice(at + 1),
  ]);
  return [[text], text.split(''), ...twos];
}

const REPLIES: [string, () => ReplyParser, string, Parsed][] = [
  [
    'qwen',
    () => new QwenParser({ tools: TOOLS, thinking: 'open' }),
    'Hm, <b> first.\n</think>\n\nLet me see.\n\n<tool_call>\n<function=write_file>\n<parameter=path>\na<b>.txt\n</parameter>\n' +
      '<parameter=count>\n3\n</parameter>\n<parameter=force>\ntrue\n</parameter>\n<parameter=tags>\n["x"]\n</parameter>\n</function>\n</tool_call>\nDone.',
    {
      thinking: 'Hm, <b> first.',
      content: 'Let me see.\nDone.',
      calls: [{ name: 'write_file', arguments: { path: 'a<b>.txt', count: 3, force: true, tags: ['x'] } }],
    },
  ],
  [
    'gemma',
    () => new GemmaParser(),
    '<|channel>thought\nHm <| first\n<channel|>Text.<|tool_call>call:write_file{path:<|"|>a{b}.txt<|"|>,count:3,tags:[<|"|>x<|"|>,null],force:true}<tool_call|>',
    {
      thinking: 'Hm <| first',
      content: 'Text.',
      calls: [
        { name: 'write_file', arguments: { path: 'a{b}.txt', count: 3, tags: ['x', null], force: true } },
      ],
    },
  ],
  [
    'a Go template with a tag',
    () =>
      new GoTemplateParser(
        { tools: TOOLS, thinking: 'closed' },
        { call: '<tool_call>', thinking: ['<think>', '</think>'] },
        true,
      ),
    '<think>Hm</think>\nText.<tool_call>{"name": "write_file", "arguments": {"path": "}{"}}</tool_call>',
    { thinking: 'Hm', content: 'Text.', calls: [{ name: 'write_file', arguments: { path: '}{' } }] },
  ],
  [
    'harmony',
    () => new HarmonyParser({ tools: TOOLS, thinking: 'free' }),
    '<|channel|>analysis<|message|>Hm <b> first<|end|><|start|>assistant<|channel|>commentary<|message|>Text.<|end|>' +
      '<|start|>assistant<|channel|>commentary to=functions.write_file <|constrain|>json<|message|>{"path":"a<|b"}',
    {
      thinking: 'Hm <b> first',
      content: 'Text.',
      calls: [{ name: 'write_file', arguments: { path: 'a<|b' } }],
    },
  ],
  [
    'a Go template without one',
    () => new GoTemplateParser({ tools: TOOLS, thinking: 'closed' }, { call: '{' }, false),
    '{"name": "write_file", "parameters": {"path": "a"}}',
    { thinking: '', content: '', calls: [{ name: 'write_file', arguments: { path: 'a' } }] },
  ],
];

describe.each(REPLIES)('%s', (_, parser, text, expected) => {
  test('a reply means the same wherever its tokens are cut', () => {
    for (const pieces of cuts(text)) expect(read(parser(), pieces)).toEqual(expected);
  });
});

const bare = () => new GoTemplateParser({ tools: TOOLS, thinking: 'closed' }, { call: '{' }, false);
const harmony = () => new HarmonyParser({ tools: TOOLS, thinking: 'free' });
const qwen = () => new QwenParser({ tools: TOOLS, thinking: 'closed' });

describe('what cannot be read', () => {
  test('qwen: text in a call is an error, a call that never closes vanishes', () => {
    expect(() => qwen().add('<tool_call>{"name": "x"}</tool_call>')).toThrow(ParseFailure);
    expect(read(qwen(), ['Ok.<tool_call>\n<function=write_file>\n'])).toEqual({
      content: 'Ok.',
      thinking: '',
      calls: [],
    });
  });

  test('harmony: a cut call is an error, and so is a second one', () => {
    const call = '<|channel|>commentary to=functions.write_file<|message|>{"path":"a"';
    expect(() => read(harmony(), [call])).toThrow('unexpected end of JSON input');
    expect(() => read(harmony(), [`${call}}<|end|><|start|>assistant${call}}`])).toThrow(
      "invalid character '{' after top-level value",
    );
  });

  test('gemma: a broken call is dropped, a cut one comes out with its arguments cut short', () => {
    expect(read(new GemmaParser(), ['<|tool_call>write_file("a")<tool_call|>']).calls).toEqual([]);
    expect(read(new GemmaParser(), ['<|tool_call>call:write_file{path:<|"|>REA']).calls).toEqual([
      { name: 'write_file', arguments: { path: 'REA' } },
    ]);
  });

  test('Go templates: calls of tools that were not offered are dropped; JSON that is no call is shown after all', () => {
    expect(read(bare(), ['{"a": 1}']).content).toBe('{"a": 1}');
    expect(read(bare(), ['Some {"name": "write_file", "parameters": {}}']).calls).toEqual([]);
    const tagged = new GoTemplateParser({ tools: TOOLS, thinking: 'closed' }, { call: '<tool_call>' }, false);
    expect(read(tagged, ['<tool_call>{"name": "other", "arguments": {}}'])).toEqual({
      content: '',
      thinking: '',
      calls: [],
    });
  });
});
