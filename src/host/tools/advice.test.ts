import { expect, test } from 'vitest';
import { advised, combined, inWords, wordsFor } from './advice.ts';

test('Only a guided model reads words without their advice', () => {
  const words = inWords('There is no a.', 'Use glob to find it.');
  expect(wordsFor(false, words)).toBe('There is no a. Use glob to find it.');
  expect(wordsFor(true, words)).toBe('There is no a.');
  expect(wordsFor(true, inWords('There is no a.'))).toBe('There is no a.');
});

test('Advice may be in the middle of words', () => {
  expect(advised((advise) => `3 of 9${advise('; read on')}\nabc`)).toEqual({
    content: '3 of 9; read on\nabc',
    bare: '3 of 9\nabc',
  });
});

const join = (...texts: string[]): string => texts.join(' / ');

test('Words made of others have their advice where one of them has', () => {
  const plain = inWords('b');
  expect(combined(join, inWords('a', 'Do it.'), plain)).toEqual({ content: 'a Do it. / b', bare: 'a / b' });
  expect(combined(join, plain, plain)).toEqual({ content: 'b / b' });
});
