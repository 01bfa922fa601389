import { expect, test } from 'vitest';
import { z } from 'zod';
import { repairArguments } from './repair.ts';
import { toToolSchema } from './schema.ts';

const schema = toToolSchema(
  z.object({
    path: z.string(),
    start_line: z.int().optional(),
    ratio: z.number().optional(),
    deep: z.boolean().optional(),
    names: z.array(z.string()).optional(),
    options: z.object({}).optional(),
  }),
);

const cases: [what: string, given: unknown, args: unknown, repairs: string[]][] = [
  ['what fits is left alone', { path: 'a', start_line: 5 }, { path: 'a', start_line: 5 }, []],
  [
    'a number as text',
    { path: 'a', start_line: '5' },
    { path: 'a', start_line: 5 },
    ['read start_line as integer'],
  ],
  ['a fraction as text', { ratio: ' -0.5 ' }, { ratio: -0.5 }, ['read ratio as number']],
  ['a truth as text', { deep: 'True' }, { deep: true }, ['read deep as boolean']],
  ['a number where text is due', { path: 404 }, { path: '404' }, ['read path as string']],
  ['a list as text', { names: '["a"]' }, { names: ['a'] }, ['read names as array']],
  ['an object as text', { options: '{"a":1}' }, { options: { a: 1 } }, ['read options as object']],
  ['an unknown key', { path: 'a', why: 'because' }, { path: 'a' }, ['dropped the unknown argument why']],
  ['an optional null', { path: 'a', deep: null }, { path: 'a' }, ['dropped deep, which was null']],
  [
    'another spelling',
    { path: 'a', startLine: 2 },
    { path: 'a', start_line: 2 },
    ['took startLine as start_line'],
  ],
  ['JSON text', '{"path":"a"}', { path: 'a' }, ['read the arguments from JSON text']],
  ['a wrapper', { arguments: { path: 'a' } }, { path: 'a' }, ['took the arguments out of their wrapper']],
  [
    'a wrapper named as the tool',
    { my_tool: { path: 'a' } },
    { path: 'a' },
    ['took the arguments out of their wrapper'],
  ],
  [
    'a wrapper beside the name',
    { name: 'my_tool', parameters: { path: 'a' } },
    { path: 'a' },
    ['took the arguments out of their wrapper'],
  ],
  [
    'JSON text in a wrapper',
    { input: '{"path":"a"}' },
    { path: 'a' },
    ['took the arguments out of their wrapper', 'read the arguments from JSON text'],
  ],
  // What is not plain is left to the schema, which then says what is wrong.
  ['words are no number', { start_line: 'five' }, { start_line: 'five' }, []],
  ['yes is no truth', { deep: 'yes' }, { deep: 'yes' }, []],
  ['a required null', { path: null }, { path: null }, []],
  ['a missing required argument is not guessed', { file: 'a' }, {}, ['dropped the unknown argument file']],
  ['text that is no JSON', 'src/a.ts', 'src/a.ts', []],
  ['a list of arguments', ['a'], ['a'], []],
  ['nothing', undefined, undefined, []],
  [
    'a spelling beside the right one',
    { path: 'a', Path: 'b' },
    { path: 'a' },
    ['dropped the unknown argument Path'],
  ],
];

test.each(cases)('%s', (_, given, args, repairs) => {
  expect(repairArguments('my_tool', schema, given)).toEqual({ args, repairs });
});

test('wrappers without end are not followed without end', () => {
  const deep = { input: { input: { input: { input: { path: 'a' } } } } };
  expect(repairArguments('my_tool', schema, deep).args).toEqual({});
});

test('a key that is a property is no wrapper', () => {
  const own = toToolSchema(z.object({ input: z.object({}) }));
  expect(repairArguments('my_tool', own, { input: { a: 1 } })).toEqual({
    args: { input: { a: 1 } },
    repairs: [],
  });
});

test('what a model names __proto__ stays an unknown key', () => {
  const given: unknown = JSON.parse('{"path":"a","__proto__":{"deep":true},"constructor":1}');
  const { args } = repairArguments('my_tool', schema, given);
  expect(args).toEqual({ path: 'a' });
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype);
});
