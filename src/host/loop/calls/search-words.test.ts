import { expect, test } from 'vitest';
import { searchWords } from './search-words.ts';

test('codes, quotes and names in code come alone', () => {
  expect(searchWords('Where is KL-20 used, and "low tide", and openFile?', [])).toEqual([
    'low tide',
    'KL-20',
    'openFile',
  ]);
});

test('else every word of some length, without what is a path', () => {
  expect(searchWords('what did Anna say under logs in a.txt', ['logs/', 'a.txt'])).toEqual([
    'what',
    'Anna',
    'under',
  ]);
});
