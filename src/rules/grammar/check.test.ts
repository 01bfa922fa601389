import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grammarProblem } from './check.ts';
import { anyOf, anyText, grammar, integer, list, object, oneOfValues, type GrammarSchema } from './schema.ts';

const withPattern = (pattern: string) => object({ a: { type: 'string', pattern } as GrammarSchema });
const values = (count: number): string[] => Array.from({ length: count }, (_, at) => `file ${String(at)}`);

test('What the builder makes of values of any characters is taken (audit-E1)', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 220 }), (texts) => {
      const made = oneOfValues(texts);
      expect(grammarProblem(grammar(object({ path: made ?? anyText() })))).toBeNull();
      const whole = new Set(texts.filter((text) => text.isWellFormed()));
      expect(made?.enum).toEqual(whole.size > 0 && whole.size <= 200 ? [...whole] : undefined);
    }),
  );
});

test('A list has at most 200 values, and none is no list (audit-E1)', () => {
  expect(oneOfValues(values(200))?.enum).toHaveLength(200);
  expect(oneOfValues(values(201))).toBeNull();
  expect(oneOfValues([])).toBeNull();
  expect(oneOfValues(['half \uD800', 'whole'])?.enum).toEqual(['whole']);
});

test('A grammar has one to 12 branches, and one branch stands alone (audit-E1)', () => {
  const branches = Array.from({ length: 12 }, (_, at) => object({ [`k${String(at)}`]: anyText() }));
  expect(grammarProblem(anyOf(branches))).toBeNull();
  expect(anyOf(branches.slice(0, 1))).toBe(branches[0]);
  expect(() => anyOf([...branches, object({})])).toThrow('13 branches');
  expect(() => anyOf([])).toThrow('0 branches');
  expect(grammarProblem({ anyOf: [...branches, object({})] })).toMatch('branches');
});

test.each([
  [String.raw`^a\-b$`, 'unknown escape'],
  [String.raw`^a\/b$`, 'unknown escape'],
  [String.raw`^[a-z\-]{1,5}$`, 'unknown escape'],
  [String.raw`^\w+$`, 'unknown escape'],
  [String.raw`^[\.]$`, 'unknown escape'],
  [String.raw`^\x4$`, 'hex chars'],
  ['^a', 'begin with ^ and end with $'],
  ['a$', 'begin with ^ and end with $'],
  ['^', 'begin with ^ and end with $'],
  ['^[]]$', 'hangs'],
  ['^a}$', 'hangs'],
  ['^*a$', 'nothing stands before'],
  ['^a{5,3}$', 'makes no sense'],
  ['^a{x}$', 'cannot be read'],
  ['^a{0,2000}$', 'exceeds sane defaults'],
  ['^(a{0,1000} b{0,1000})?$', 'exceeds sane defaults'],
  ['^(a|)*$', 'left recursion'],
  ['^(?=a)a$', 'ignored'],
  ['^日+$', 'tears'],
  ['^[a$', 'no end'],
  ['^a\\$', 'escapes nothing'],
  ['^a\0b$', 'unexpected end'],
])('The pattern %s is refused before it is sent (audit-E1)', (pattern, why) => {
  expect(grammarProblem(withPattern(pattern))).toContain(why);
});

test.each([
  '^$',
  '^a{0,1999}$',
  '^[^"]{1,9}$',
  '^(a*)*$',
  '^(a{0,990} b{0,990})?$',
  String.raw`^\.\n\x41\u0041$`,
  '^(日)?$',
])('The pattern %s is taken', (pattern) => {
  expect(grammarProblem(withPattern(pattern))).toBeNull();
});

test.each<[string, unknown]>([
  ['no schema', true],
  ['a kind that is not sent', { type: 'null' }],
  ['a keyword of another kind', { type: 'boolean', enum: [true] }],
  ['values beside a pattern', { type: 'string', enum: ['a'], pattern: '^a$' }],
  ['a length beside values', { type: 'string', enum: ['a'], maxLength: 2 }],
  ['too long a text', { type: 'string', maxLength: 2_000 }],
  ['no values', { type: 'string', enum: [] }],
  ['a value that is no text', { type: 'string', enum: [1] }],
  ['half of a character', { type: 'string', enum: ['\uD800'] }],
  ['bounds the wrong way round', integer(2, 1)],
  ['an open bound', { type: 'integer', minimum: 1 }],
  ['a list without an end', { type: 'array', items: { type: 'string' } }],
  ['a list of what is refused', list({ type: 'string', enum: [] }, 5)],
  ['open keys', { type: 'object', properties: {}, required: [] }],
  ['a required key that is not there', { ...object({}), required: ['a'] }],
  ['a keyword beside branches', { anyOf: [object({})], type: 'object' }],
])('A schema with %s is refused before it is sent (audit-E1)', (_, schema) => {
  expect(grammarProblem(object({ a: schema as GrammarSchema }))).toMatch(
    /^The grammar would be refused at #\/a/,
  );
});
