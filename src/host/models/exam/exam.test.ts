import { expect, test } from 'vitest';
import { minThinking } from './exam.ts';

test.each([
  ['one that can leave it', [true, false], false],
  ['one that has levels', ['low', 'medium', 'high'], 'low'],
  ['one that always thinks', [true], undefined],
  ['one that never does', [], undefined],
  ['one of which nothing is known', null, undefined],
] as const)('as little thought as may be: %s', (_, values, expected) => {
  expect(minThinking({ thinkingValues: values && [...values] })).toBe(expected);
});
