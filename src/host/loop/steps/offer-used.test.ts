import { expect, test } from 'vitest';
import { replySchema, type ReplyOptions } from '../calls/constrained.ts';
import { offered as tools } from '../calls/testing.ts';
import type { Act } from '../opening/turn-acts.ts';
import type { PropertySchema } from '../../tools/tool.ts';
import { personMessage } from '../../prompt/person-message.ts';
import { offerOf, type StepSituation } from './offer.ts';

const namesOf = ({ tools: some }: ReplyOptions): string[] => some.map(({ name }) => name);

const text = { type: 'string' } as const;
const reaching = [
  {
    name: 'tool_search',
    mutates: false,
    schema: { type: 'object', properties: { query: text }, required: ['query'] },
  },
  {
    name: 'tool_call',
    mutates: true,
    schema: { type: 'object', properties: { name: text }, required: ['name'] },
  },
  {
    name: 'web_search',
    mutates: false,
    schema: { type: 'object', properties: { query: text }, required: ['query'] },
  },
  {
    name: 'notes.add',
    mutates: true,
    schema: { type: 'object', properties: { title: text }, required: ['title'] },
  },
  { name: 'notes.list', mutates: true, schema: { type: 'object', properties: { tag: text }, required: [] } },
] as const satisfies StepSituation['tools'];
const using = (more: Partial<StepSituation>): ReplyOptions =>
  offerOf({
    tools: [...tools, ...reaching],
    acts: ['use'],
    named: { message: personMessage('Note that memo.txt is old'), step: 'add a note' },
    entries: ['memo.txt'],
    calls: [],
    ...more,
  });

test('A step that uses a tool searches for one in the words of its opening, or asks the web', () => {
  const options = using({});
  expect(namesOf(options)).toEqual(['tool_search', 'web_search']);
  expect(options.values?.('tool_search', 'query')).toEqual(['add a note']);
  expect(options.values?.('web_search', 'query')).toBeUndefined();
});

test('A step that has found tools calls one of them by its own name, and no wrapper is ever written', () => {
  const options = using({ hasTools: true });
  expect(namesOf(options)).toEqual(['notes.add', 'notes.list']);
  const grammar = JSON.stringify(replySchema(options));
  expect(grammar).toContain('"notes.add"');
  expect(grammar).not.toContain('tool_call');
});

test('A found tool that requires no argument may be given some all the same', () => {
  const grammar = replySchema(using({ hasTools: true }));
  const [, list] = 'anyOf' in grammar ? grammar.anyOf : [];
  expect(list).toMatchObject({ properties: { with: { properties: { tag: text }, required: [] } } });
});

test('A found tool may be told what it does not require, behind what it does, as engines write it', () => {
  const inside = {
    type: 'object',
    properties: { unit: text, by: { type: 'integer' } },
    required: ['unit'],
  } as const;
  const properties: Record<string, PropertySchema> = {
    title: text,
    place: { ...inside, required: ['unit'] },
    day: text,
  };
  const schema = { type: 'object', properties, required: ['title', 'day'] } as const;
  const listed = [{ name: 'notes.add', mutates: true, schema: { ...schema, required: ['title', 'day'] } }];
  const given = { type: 'string', minLength: 1, maxLength: 300 };
  const by = { type: 'integer', minimum: -9_999_999_999, maximum: 9_999_999_999 };
  expect(replySchema(using({ tools: listed, hasTools: true }))).toMatchObject({
    properties: {
      with: {
        properties: {
          '1_title': given,
          '2_day': given,
          '3_place': { type: 'object', properties: { unit: given, by }, required: ['unit'] },
        },
        required: ['1_title', '2_day'],
      },
    },
  });
});

test('A list that a tool does not require is not empty, and one that it requires may be', () => {
  const tags = { type: 'array', items: { type: 'string' } } as const;
  const listed = (required: string[]): ReplyOptions =>
    using({
      tools: [
        { name: 'notes.add', mutates: true, schema: { type: 'object', properties: { tags }, required } },
      ],
      hasTools: true,
    });
  expect(JSON.stringify(replySchema(listed([])))).toContain('"minItems":1');
  expect(JSON.stringify(replySchema(listed(['tags'])))).not.toContain('minItems');
});

test('No other step has tools of other programs', () => {
  for (const acts of [['look'], ['change'], ['run'], ['answer', 'look', 'change', 'run']] satisfies Act[][])
    expect(
      namesOf(using({ acts, hasTools: true })).filter((name) => reaching.some((each) => each.name === name)),
    ).toEqual([]);
});

test('A led model gives a tool of a server no text without end, and no list', () => {
  const properties: Record<string, PropertySchema> = {
    title: text,
    tags: { type: 'array', items: { type: 'string' } },
    day: { type: 'string', enum: ['monday'] },
  };
  const schema = { type: 'object', properties, required: Object.keys(properties) } as const;
  const listed = [{ name: 'notes.add', mutates: true, schema }];
  const grammar = JSON.stringify(replySchema(using({ tools: listed, hasTools: true })));
  const given = '{"type":"string","minLength":1,"maxLength":300}';
  expect(grammar).toContain(`"1_title":${given}`);
  expect(grammar).toContain(`{"type":"array","items":${given},"maxItems":10}`);
  expect(grammar).toContain('{"type":"string","enum":["monday"]}');
});
