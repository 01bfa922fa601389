import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { grammarProblem } from '../../rules/grammar/check.ts';
import { replySchema } from '../loop/calls/constrained.ts';
import { plainSchema } from './plain-schema.ts';

const many = (length: number): object =>
  Object.fromEntries(Array.from({ length }, (_, at) => [`p${String(at)}`, { type: 'string' }]));

const schemaOf = (properties: object, required: string[] = [], more: object = {}) =>
  plainSchema({ type: 'object', properties, required, ...more });

test.each([
  [{ type: 'string', maxLength: 3 }, { type: 'string' }],
  [{ type: ['string', 'null'] }, { type: 'string' }],
  [{ enum: ['open', 'closed'] }, { type: 'string', enum: ['open', 'closed'] }],
  [{ const: 'open' }, { type: 'string', enum: ['open'] }],
  [{ anyOf: [{ type: 'null' }, { type: 'integer' }] }, { type: 'integer' }],
  [{ oneOf: [{ type: 'boolean' }, { type: 'null' }] }, { type: 'boolean' }],
  [
    { type: 'array', items: { type: 'number' } },
    { type: 'array', items: { type: 'number' } },
  ],
  [{ $ref: '#/$defs/when' }, { type: 'string' }],
  [{ title: 'Data' }, { type: 'string' }],
  [
    { type: 'array', items: { enum: ['a', 'b'] } },
    { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
  ],
  [
    { type: 'object', properties: { from: { type: 'number' }, to: { type: 'number' } }, required: ['to'] },
    { type: 'object', properties: { from: { type: 'number' }, to: { type: 'number' } }, required: ['to'] },
  ],
  [
    { type: 'array', items: { type: 'object', properties: { field: { type: 'string' } } } },
    { type: 'array', items: { type: 'object', properties: { field: { type: 'string' } }, required: [] } },
  ],
])('An argument that is %j is kept as %j', (given, kept) => {
  const when = { $defs: { when: { type: 'string', format: 'date' } } };
  expect(schemaOf({ a: given }, ['a'], when)).toEqual({
    type: 'object',
    properties: { a: kept },
    required: ['a'],
  });
});

test.each([
  [{ type: 'object', properties: {} }],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }],
  [{ type: 'array', items: { type: 'object' } }],
  [{ type: 'array' }],
  [{ enum: ['a', 1] }],
  [{ $ref: '#/$defs/nowhere' }],
  [true],
])(
  'A tool that requires an argument that is %j is not offered, and one that does not is without it',
  (given) => {
    expect(schemaOf({ a: given, b: { type: 'string' } }, ['a'])).toBeNull();
    expect(schemaOf({ a: given, b: { type: 'string' } }, ['b'])?.properties).toEqual({
      b: { type: 'string' },
    });
  },
);

test('Objects in objects and their parts are bounded', () => {
  const nested = (depth: number): object =>
    depth === 0 ? { type: 'string' } : { type: 'object', properties: { in: nested(depth - 1) } };
  expect(schemaOf({ a: nested(3) }, ['a'])).not.toBeNull();
  expect(schemaOf({ a: nested(4) }, ['a'])).toBeNull();
  const long = schemaOf({ ...many(4_000), z: { type: 'boolean' } }, ['z'])?.properties ?? {};
  expect(Object.keys(long)).toHaveLength(60);
  expect(long).toHaveProperty('z');
  const inner = { type: 'object', properties: many(50) };
  expect(JSON.stringify(schemaOf({ a: inner, b: inner })).match(/"p\d/g)).toHaveLength(59);
});

test('An argument whose name is half of a character is left out', () => {
  const given = { '\uD800': { type: 'string' }, b: { type: 'string' } };
  expect(Object.keys(schemaOf(given)?.properties ?? {})).toEqual(['b']);
});

test('A tool that requires what it does not describe is not offered', () => {
  expect(schemaOf({}, ['a'])).toBeNull();
  expect(schemaOf({}, ['toString'])).toBeNull();
});

test('A definition that leads into itself is bounded', () => {
  const root = { type: 'object', properties: { a: { $ref: '#' } }, required: [] };
  expect(plainSchema(root)).toEqual({ type: 'object', properties: {}, required: [] });
});

test('Whatever a server says of its arguments, the grammar of a call is one that an engine takes', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue({ maxDepth: 4 })), (properties) => {
      const schema = schemaOf(properties, Object.keys(properties).slice(0, 2));
      if (!schema) return;
      const tools = [{ name: 'notes.add', schema, mutates: true }];
      const options = { tools, mayCall: true, mayAnswer: false, simplified: true };
      expect(grammarProblem(replySchema(options))).toBeNull();
    }),
  );
});
