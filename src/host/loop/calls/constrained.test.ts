import { expect, test } from 'vitest';
import { grammarProblem } from '../../../rules/grammar/check.ts';
import { literal, pattern } from '../../../rules/grammar/pattern.ts';
import { grammarProblem as whyNotUnder } from '../../../sim/script/grammar.ts';
import { createConstrainedReader } from './constrained-reader.ts';
import { details, replySchema } from './constrained.ts';
import { offered } from './testing.ts';

const calls = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"call":\{"type":"string","enum":\["(\w+)"\]/g)].map(
    (match) => match[1] ?? '',
  );
const answers = (schema: unknown): boolean => JSON.stringify(schema).includes('"answer"');
const valuesFor = (tool: string, paths: string[]) => (name: string, argument: string) =>
  name === tool && argument === 'path' ? paths : undefined;
const branch = (about: string, detail?: Parameters<typeof replySchema>[1]) =>
  replySchema(
    { tools: [], mayCall: false, mayAnswer: true, answer: { tells: 'found', words: about } },
    detail,
  );
const both = { tools: offered, mayCall: true, mayAnswer: true };

test('one branch per tool, and one for the answer', () => {
  const schema = replySchema(both);
  expect(calls(schema)).toEqual(offered.map(({ name }) => name));
  expect(answers(schema)).toBe(true);
  expect(schema).toHaveProperty('anyOf.length', offered.length + 1);
});

test('An answer is written behind what it is about, as long as values are asked for', () => {
  const text = { type: 'string', minLength: 1 };
  for (const about of ['the port', 'порт "первый"', '端口'])
    expect(branch(about)).toMatchObject({
      properties: { answer_about: { type: 'string', enum: [about] }, answer_found: text },
      required: ['answer_about', 'answer_found'],
    });
  const done = { tells: 'done', words: 'say that it is gone' } as const;
  expect(replySchema({ tools: [], mayCall: false, mayAnswer: true, answer: done })).toMatchObject({
    required: ['answer_about', 'answer_text'],
  });
  expect(branch('the port', 'no_values')).toMatchObject({ properties: { answer: text } });
  expect(branch('\ud800')).toMatchObject({ properties: { answer: text } });
  expect(details.map((detail) => grammarProblem(branch('порт "первый"', detail)))).toEqual(
    details.map(() => null),
  );
});

test.each([
  ['what was not found says why not', 'missed', 'answer_why_not'],
  ['what a search found is a sentence', 'match', 'answer_in_one_sentence'],
] as const)('An answer to %s, as long as values are asked for', (_, tells, key) => {
  const options = { tools: [], mayCall: false, mayAnswer: true, answer: { tells } } as const;
  expect(replySchema(options)).toMatchObject({ required: [key] });
  expect(replySchema(options, 'no_values')).toMatchObject({ required: ['answer'] });
});

test('the tool is named before its arguments, and no number has more than six digits (audit-E7)', () => {
  const schema = replySchema({ ...both, mayAnswer: false, only: ['read_file'] });
  expect(schema).toEqual({
    type: 'object',
    properties: {
      call: { type: 'string', enum: ['read_file'] },
      with: {
        type: 'object',
        properties: {
          path: { type: 'string' },
          start_line: { type: 'integer', minimum: 0, maximum: 999_999 },
          end_line: { type: 'integer', minimum: 0, maximum: 999_999 },
        },
        required: ['path'],
        additionalProperties: false,
      },
    },
    required: ['call', 'with'],
    additionalProperties: false,
  });
  expect(Object.keys(Object(schema).properties).toSorted()).toEqual(['call', 'with']);
});

test('must: no answer; settle: nothing but an answer', () => {
  expect(answers(replySchema({ ...both, mayAnswer: false }))).toBe(false);
  expect(replySchema({ ...both, mayCall: false })).toEqual({
    type: 'object',
    properties: { answer: { type: 'string', minLength: 1 } },
    required: ['answer'],
    additionalProperties: false,
  });
});

test('where nothing can be called there is always an answer', () => {
  expect(answers(replySchema({ tools: [], mayCall: true, mayAnswer: false }))).toBe(true);
  expect(answers(replySchema({ ...both, mayAnswer: false, only: ['gone'] }))).toBe(true);
});

test('known values bind their argument, as far as a grammar can hold them', () => {
  const schema = JSON.stringify(replySchema({ ...both, values: valuesFor('read_file', ['a.md', 'src']) }));
  expect(schema.match(/"path":\{"type":"string","enum":\["a.md","src"\]\}/g)).toHaveLength(1);
  expect(schema.match(/"path":\{"type":"string"\}/g)).toHaveLength(4);
  const many = Array.from({ length: 201 }, (_, at) => `f${String(at)}`);
  expect(replySchema({ ...both, values: () => many })).toEqual(replySchema(both));
});

test('plainly: an optional argument is left out, unless its values are known', () => {
  const plain = { ...both, mayAnswer: false, simplified: true, values: valuesFor('list_files', ['src']) };
  expect(JSON.stringify(replySchema({ ...plain, only: ['read_file'] }))).not.toContain('start_line');
  expect(replySchema({ ...plain, only: ['list_files'] })).toMatchObject({
    properties: { with: { properties: { path: { enum: ['src'] } }, required: ['path'] } },
  });
});

test('a form binds an argument whose values are not known', () => {
  expect(
    JSON.stringify(replySchema({ ...both, pattern: () => pattern(literal('ls')), only: ['run_command'] })),
  ).toContain('"command":{"type":"string","pattern":"^ls$"}');
});

const many = Array.from({ length: 20 }, (_, at) => ({
  name: `tool_${String(at)}`,
  mutates: false,
  schema: {
    type: 'object' as const,
    properties: { path: { type: 'string' as const }, [`own_${String(at)}`]: { type: 'integer' as const } },
    required: ['path'],
  },
}));

test('A grammar has at most 12 branches, and the tools that find no room share the last one (audit-E1)', () => {
  const schema = replySchema({ tools: many, mayCall: true, mayAnswer: true });
  expect(schema).toHaveProperty('anyOf.length', 12);
  expect(schema).toHaveProperty(
    'anyOf.10.properties.call.enum',
    many.slice(10).map(({ name }) => name),
  );
  expect(schema).toHaveProperty('anyOf.10.properties.with.required', ['path']);
  expect(schema).toHaveProperty('anyOf.10.properties.with.properties.own_19');
  expect(answers(schema)).toBe(true);
  expect(replySchema({ tools: many.slice(0, 12), mayCall: true, mayAnswer: false })).toHaveProperty(
    'anyOf.length',
    12,
  );
});

test('Each looser grammar leaves out what the one before was refused for, down to names (audit-E2)', () => {
  const tools = [
    ...offered,
    {
      name: 'todo',
      mutates: false,
      schema: {
        type: 'object' as const,
        properties: { action: { type: 'string' as const, enum: ['set', 'done'] } },
        required: ['action'],
      },
    },
  ];
  const options = {
    ...both,
    tools,
    values: valuesFor('read_file', ['a.md']),
    pattern: (tool: string) => (tool === 'run_command' ? pattern(literal('ls')) : undefined),
  };
  const [all, noPatterns, noValues, names] = details.map((detail) =>
    JSON.stringify(replySchema(options, detail)),
  );
  expect(all).toContain('"pattern":"^ls$"');
  expect(noPatterns).not.toContain('"pattern":"');
  expect(noPatterns).toContain('"enum":["a.md"]');
  expect(noValues).not.toContain('a.md');
  expect(noValues).not.toContain('"set"');
  expect(calls(JSON.parse(noValues ?? ''))).toHaveLength(tools.length);
  expect(names?.match(/"enum":/g)).toHaveLength(1);
  expect(names).toContain(JSON.stringify(tools.map(({ name }) => name)));
  for (const detail of details) expect(grammarProblem(replySchema(options, detail))).toBeNull();
});

test('A tool whose required argument no grammar can say is not offered under one (audit-E1)', () => {
  const odd = {
    name: 'odd',
    mutates: false,
    schema: {
      type: 'object' as const,
      properties: { data: { type: 'object' as const } },
      required: ['data'],
    },
  };
  expect(calls(replySchema({ ...both, tools: [odd, ...offered] }))).not.toContain('odd');
  const optional = { ...odd, schema: { ...odd.schema, required: [] } };
  expect(JSON.stringify(replySchema({ ...both, tools: [optional] }))).not.toContain('data');
});

test.each([
  ['boolean', { type: 'boolean' }],
  ['number', { type: 'number' }],
  ['string', { type: 'string' }],
  ['object', { type: 'string' }],
] as const)('A list of type %s is bound to entries of that type, or to texts (audit-A14)', (type, items) => {
  const tool = {
    name: 'pick',
    mutates: false,
    schema: {
      type: 'object' as const,
      properties: { all: { type: 'array' as const, items: { type } } },
      required: ['all'],
    },
  };
  expect(replySchema({ tools: [tool], mayCall: true, mayAnswer: false })).toHaveProperty(
    'properties.with.properties.all.items',
    items,
  );
});

test('What an engine writes of a tool of a server is read by its own names, whatever is left out', () => {
  const text = { type: 'string' } as const;
  const properties = { title: text, place: text, day: text, '1_st': text };
  const schema = { type: 'object' as const, properties, required: ['title', 'day'] };
  const tools = [{ name: 'notes.add', mutates: true, schema }];
  const sent = replySchema({ tools, mayCall: true, mayAnswer: false, simplified: true });
  // As llama.cpp does: what is required, then the rest, each in the order of the alphabet.
  const written = { call: 'notes.add', with: { '1_title': 'a', '2_day': 'b', '4_1_st': 'c' } };
  expect(whyNotUnder(sent, JSON.stringify(written), false)).toBeUndefined();
  const reader = createConstrainedReader();
  reader.push(JSON.stringify(written));
  expect(reader.end()).toEqual({
    type: 'call',
    name: 'notes.add',
    args: { title: 'a', day: 'b', '1_st': 'c' },
  });
});

test("A tool's own numbered arguments are numbered once more, whoever calls it", () => {
  const properties = { '1_st': { type: 'string' as const } };
  const tools = [
    { name: 'add', mutates: true, schema: { type: 'object' as const, properties, required: ['1_st'] } },
  ];
  const sent = replySchema({ tools, mayCall: true, mayAnswer: false });
  expect(sent).toHaveProperty('properties.with.required', ['1_1_st']);
});
