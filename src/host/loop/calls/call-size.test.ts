import { expect, test } from 'vitest';
import { maxCallCharacters, maxCallValues } from '../../../protocol/limits.ts';
import { isTooLarge } from './call-size.ts';

const numbered = (count: number): Record<string, number> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${String(n)}`, n]));

test('A call is too large with one value more than the limit, however deep the values are', () => {
  expect(isTooLarge({})).toBe(false);
  expect(isTooLarge(numbered(maxCallValues))).toBe(false);
  expect(isTooLarge(numbered(maxCallValues + 1))).toBe(true);
  expect(isTooLarge({ a: { b: [numbered(maxCallValues - 3)] } })).toBe(false);
  expect(isTooLarge({ a: { b: [numbered(maxCallValues - 2)] } })).toBe(true);
});

test('A call is too large with one character more than the limit, in a value or in a key', () => {
  expect(isTooLarge({ a: 'x'.repeat(maxCallCharacters - 1) })).toBe(false);
  expect(isTooLarge({ a: 'x'.repeat(maxCallCharacters) })).toBe(true);
  expect(isTooLarge({ a: [{ ['k'.repeat(maxCallCharacters)]: null }] })).toBe(true);
});
