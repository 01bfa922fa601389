import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeParameters, toToolSchema } from './schema.ts';

test('keeps what the engine keeps: type, description, enum, items; in the order of the definition', () => {
  const schema = toToolSchema(
    z.object({
      zeta: z.string().min(3).max(9).describe('A name.'),
      alpha: z.int().min(1).default(3),
      kind: z.enum(['b', 'a']).optional(),
      list: z.array(z.number()).optional(),
      flag: z.boolean().optional(),
    }),
  );
  expect(JSON.stringify(schema)).toBe(
    JSON.stringify({
      type: 'object',
      properties: {
        zeta: { type: 'string', description: 'A name.' },
        alpha: { type: 'integer' },
        kind: { type: 'string', enum: ['b', 'a'] },
        list: { type: 'array', items: { type: 'number' } },
        flag: { type: 'boolean' },
      },
      required: ['zeta'],
    }),
  );
});

test('a tool without parameters still has properties, because some templates print null otherwise', () => {
  expect(toToolSchema(z.object({}))).toEqual({ type: 'object', properties: {}, required: [] });
});

test('a parameter without one simple type cannot be defined', () => {
  expect(() => toToolSchema(z.object({ either: z.union([z.string(), z.number()]) }))).toThrow('type');
});

test('parameters are told in words', () => {
  const schema = toToolSchema(z.object({ path: z.string(), mode: z.enum(['r', 'w']).optional() }));
  expect(describeParameters(schema)).toBe('path (string, required), mode (one of r, w)');
  expect(describeParameters(toToolSchema(z.object({})))).toBe('no arguments');
});
