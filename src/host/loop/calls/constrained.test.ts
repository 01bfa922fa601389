import { expect, test } from 'vitest';
import { replySchema } from './constrained.ts';
import { offered } from './testing.ts';

const calls = (schema: unknown): string[] =>
  [...JSON.stringify(schema).matchAll(/"call":\{"type":"string","enum":\["(\w+)"\]/g)].map(
    (match) => match[1] ?? '',
  );
const answers = (schema: unknown): boolean => JSON.stringify(schema).includes('"answer"');
const valuesFor = (tool: string, paths: string[]) => (name: string, argument: string) =>
  name === tool && argument === 'path' ? paths : undefined;
const both = { tools: offered, mayCall: true, mayAnswer: true };

test('one branch per tool, and one for the answer', () => {
  const schema = replySchema(both);
  expect(calls(schema)).toEqual(offered.map(({ name }) => name));
  expect(answers(schema)).toBe(true);
  expect(schema).toHaveProperty('anyOf.length', offered.length + 1);
});

test('the tool is named before its arguments, in the order in which a grammar writes keys', () => {
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
  const plain = { ...both, mayAnswer: false, plainly: true, values: valuesFor('list_files', ['src']) };
  expect(JSON.stringify(replySchema({ ...plain, only: ['read_file'] }))).not.toContain('start_line');
  expect(replySchema({ ...plain, only: ['list_files'] })).toMatchObject({
    properties: { with: { properties: { path: { enum: ['src'] } }, required: ['path'] } },
  });
});

test('a form binds an argument whose values are not known', () => {
  expect(JSON.stringify(replySchema({ ...both, pattern: () => '^ls$', only: ['run_command'] }))).toContain(
    '"command":{"type":"string","pattern":"^ls$"}',
  );
});
