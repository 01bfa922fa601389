import { expect, test } from 'vitest';
import { canonicalJson, maxTools, pinDefinitions, readDefinition } from './definitions.ts';

const tool = (name: string, more: object = {}) => ({
  name,
  description: 'Does it',
  inputSchema: { type: 'object' },
  ...more,
});

test('A definition keeps the order of its arguments, and has one hash in any', () => {
  const one = pinDefinitions([tool('a', { inputSchema: { type: 'object', properties: { x: {}, b: {} } } })]);
  const other = pinDefinitions([
    tool('a', { inputSchema: { properties: { b: {}, x: {} }, type: 'object' } }),
  ]);
  expect(one.tools[0]?.hash).toMatch(/^[0-9a-f]{64}$/);
  expect(one.tools[0]?.hash).toBe(other.tools[0]?.hash);
  const { inputSchema } = readDefinition(one.tools[0]?.definition ?? '');
  expect(Object.keys(Object(inputSchema['properties']))).toEqual(['x', 'b']);
});

test('Any other description, schema or name is another definition', () => {
  const hashOf = (given: ReturnType<typeof tool>) => pinDefinitions([given]).tools[0]?.hash;
  const changed = [
    tool('a', { description: 'Does it!' }),
    tool('b'),
    tool('a', { inputSchema: { type: 'object', required: ['x'] } }),
  ];
  expect(new Set([tool('a'), ...changed].map(hashOf)).size).toBe(4);
});

test('Tools come sorted by name, and what a server says of itself beside them is left out', () => {
  const { tools } = pinDefinitions([
    tool('b'),
    tool('a', { annotations: { readOnlyHint: true }, title: 'A' }),
  ]);
  expect(tools.map(({ name }) => name)).toEqual(['a', 'b']);
  expect(readDefinition(tools[0]?.definition ?? '')).toEqual(tool('a'));
});

test('What is too large or too many is left out and counted', () => {
  const large = tool('large', { inputSchema: { type: 'object', description: 'x'.repeat(40_000) } });
  const many = Array.from({ length: maxTools + 10 }, (_, index) => tool(`t${String(index)}`));
  expect(pinDefinitions([large])).toEqual({ tools: [], leftOut: 1 });
  expect(pinDefinitions(many)).toMatchObject({ leftOut: 10 });
});

test('A long description is cut before it is pinned', () => {
  const { tools } = pinDefinitions([tool('a', { description: 'y'.repeat(10_000) })]);
  expect(readDefinition(tools[0]?.definition ?? '').description).toHaveLength(4_000);
});

test('Canonical JSON is JSON of the same value', () => {
  const value = { z: [1, { b: null, a: 'ä"' }], a: true, left: undefined };
  expect(canonicalJson(value)).toBe('{"a":true,"z":[1,{"a":"ä\\"","b":null}]}');
});
