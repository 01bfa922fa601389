import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { nestsDeeper } from './nesting.ts';

const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0;

test('the depth is exactly that of the parsed value, whatever stands in its strings', () => {
  const odd = fc.string({ unit: fc.constantFrom('"', '\\', '[', '{', ']', '}', 'a', 'é') });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 6 },
      odd,
      fc.array(tie('value'), { maxLength: 3 }),
      fc.dictionary(odd, tie('value'), { maxKeys: 3 }),
    ),
  }));
  fc.assert(
    fc.property(value, (made) => {
      const json = JSON.stringify(made);
      const depth = depthOf(JSON.parse(json));
      fc.pre(depth > 0);
      expect(nestsDeeper(json, depth)).toBe(false);
      expect(nestsDeeper(json, depth - 1)).toBe(true);
    }),
  );
});

test('a string that never ends and a row of backslashes are no trap', () => {
  expect(nestsDeeper('["', 1)).toBe(false);
  expect(nestsDeeper(`["${'\\'.repeat(1_000_001)}"[[[`, 1)).toBe(false);
  expect(nestsDeeper('['.repeat(1_000_000), 200)).toBe(true);
});
