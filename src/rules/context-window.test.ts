import { expect, test } from 'vitest';
import { defaultContextTokens } from '../protocol/profile-limits.ts';
import { contextWindow, unknownContextTokens } from './context-window.ts';

test.each([
  ['the default of a model of unknown size is cut to 8,192', {}, 8_192, true],
  ['a size that the profile names is kept', { tokens: 32_768 }, 32_768, false],
  ['a smaller size that the profile names is kept', { tokens: 4_096 }, 4_096, false],
  ['the default is kept where the person named it for this model', { named: true }, 16_384, false],
  ['a model that holds more has the default', { trained: 131_072 }, 16_384, false],
  ['a model that holds less has what it holds', { trained: 2_048 }, 2_048, false],
  ['a named size is cut to what the model holds', { tokens: 65_536, trained: 32_768 }, 32_768, false],
])('%s (audit-A7, I7)', (_, wish, tokens, isAssumed) => {
  const asked = { tokens: defaultContextTokens, trained: null, ...wish };
  expect(contextWindow(asked)).toEqual({ tokens, isAssumed });
});

test('the assumed context is less than the default, or the warning would be for nothing (audit-A7)', () => {
  expect(unknownContextTokens).toBeLessThan(defaultContextTokens);
});
