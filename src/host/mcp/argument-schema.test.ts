import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import { expect, test } from 'vitest';
import { checkableSchema } from './argument-schema.ts';

const fits = (schema: Record<string, unknown>, args: unknown): boolean =>
  new AjvJsonSchemaValidator().getValidator(checkableSchema(schema) as never)(args).valid;
const withProperty = (property: object, more: object = {}) => ({
  type: 'object',
  properties: { a: property },
  ...more,
});

test.each([
  ['a wrong type', withProperty({ type: 'number' }), { a: 'x' }],
  ['a missing property', withProperty({}, { required: ['a'] }), {}],
  ['a further property', withProperty({}, { additionalProperties: false }), { b: 1 }],
  ['another value than those named', withProperty({ enum: ['x'] }), { a: 'y' }],
  ['a number beyond its limit', withProperty({ maximum: 3 }), { a: 4 }],
  ['a wrong entry of a list', withProperty({ items: { type: 'string' } }), { a: [1] }],
  [
    'what a reference forbids',
    withProperty({ $ref: '#/$defs/n' }, { $defs: { n: { type: 'number' } } }),
    { a: 'x' },
  ],
  ['none of the alternatives', withProperty({ oneOf: [{ type: 'number' }, { type: 'null' }] }), { a: 'x' }],
  [
    'one of two demands',
    { allOf: [{ required: ['a'] }, { required: ['b'] }], oneOf: [{ required: ['c'] }] },
    { a: 1, b: 1 },
  ],
])('Arguments with %s do not fit', (_, schema, args) => {
  expect(fits(schema, args)).toBe(false);
});

test.each([
  ['a pattern', withProperty({ pattern: '^b$' }), { a: 'x' }],
  ['a format that nobody knows', withProperty({ format: 'never' }), { a: 'x' }],
  ['a negation', withProperty({ not: { pattern: 'x' } }), { a: 'x' }],
  [
    'alternatives that only patterns tell apart',
    withProperty({ oneOf: [{ pattern: 'a' }, { pattern: 'b' }] }),
    { a: 'a' },
  ],
  ['a condition', withProperty({}, { if: {}, ['then' as string]: { required: ['b'] } }), { a: 1 }],
  [
    'a name that a pattern lets in',
    { patternProperties: { '^x': {} }, additionalProperties: false, type: 'object' },
    { x1: 1 },
  ],
  ['a reference elsewhere', withProperty({ $ref: 'https://example.com/schema' }), { a: 1 }],
])('%s is for the server to check', (_, schema, args) => {
  expect(fits(schema, args)).toBe(true);
});

test('A schema that leads into itself is checked as far as it goes once', () => {
  const node = { type: 'object', properties: { child: { $ref: '#/$defs/node' } }, required: ['name'] };
  const schema = withProperty({ $ref: '#/$defs/node' }, { $defs: { node } });
  expect(fits(schema, { a: { child: {} } })).toBe(false);
  expect(fits(schema, { a: { name: 1, child: { any: 'thing' } } })).toBe(true);
});

test('A schema with more nodes than can be checked is refused', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [
      `d${String(index)}`,
      { anyOf: [1, 2].map(() => ({ $ref: `#/$defs/d${String(index + 1)}` })) },
    ]),
  );
  expect(() => checkableSchema(withProperty({ $ref: '#/$defs/d0' }, { $defs }))).toThrow('too large');
});
