import { expect, test } from 'vitest';
import { anyWordOf, nameMatcher, nearestLines } from './near-matches.ts';

const line = (text: string, path = 'a.txt') => ({ path, line: 1, text });

test('The words of a pattern are looked for where there are several', () => {
  expect(anyWordOf('Dmitri phone number')).toBe('dmitr|phon|numbe');
  expect(anyWordOf('Dmitris telephone')).toBe('dmitr|telepho');
  expect(anyWordOf('annas telephone')).toBe('anna|telepho');
  expect(anyWordOf('anna telephone')).toBe('anna|telepho');
  expect(anyWordOf('phone')).toBeNull();
  expect(anyWordOf('a.*b')).toBeNull();
  expect(anyWordOf('foo(bar)')).toBe('foo|bar');
});

test('The nearest lines have most words, and rare words count for more', () => {
  const lines = [line('number one'), line('number two'), line('Dmitri: 555'), line('the number of words')];
  expect(nearestLines('dmitri number', lines)).toEqual({ nearest: [lines[2]], total: 1, words: ['dmitri'] });
  expect(nearestLines('number words', lines)).toEqual({
    nearest: [lines[3]],
    total: 1,
    words: ['number', 'words'],
  });
});

test('At most ten of the nearest lines are told, and how many they are', () => {
  const lines = Array.from({ length: 40 }, () => line('one'));
  expect(nearestLines('one two', lines)).toEqual({ nearest: lines.slice(0, 10), total: 40, words: ['one'] });
});

test('Nearest lines that share no word have some of the words', () => {
  const lines = [line('one'), line('two')];
  expect(nearestLines('one two', lines).words).toEqual(['some of its words']);
});

test.each([
  ['*.csv', 'data/a.csv', true],
  ['data/*.csv', 'data/a.csv', true],
  ['plan', 'docs/Plan.md', true],
  ['teapot', 'docs/plan.md', false],
  ['a', 'a.csv', false],
  ['*.csv', 'data/A.CSV', true],
  ['**/notes.*', 'a/b/notes.md', true],
  ['**/notes.*', 'notes.md', true],
  ['src/**/*.*', 'src/a/b.ts', true],
  ['src/**/*.*', 'lib/a/b.ts', false],
  ['.*\\.csv', 'data/a.csv', true],
  ['\\.csv$', 'data/a.csv', true],
  ['\\.csv$', 'data/a.csv.bak', false],
  ['^plan', 'docs/plan.md', true],
  ['^plan', 'docs/my-plan.md', false],
  ['\\.(csv|tsv)$', 'data/a.tsv', true],
  ['\\.(?:csv|tsv)$', 'data/a.txt', false],
  ['teapot.*\\.md', 'docs/plan.md', false],
])('A file is meant by the pattern %s: %s %j', (pattern, path, isMeant) => {
  expect(nameMatcher(pattern)(path)).toBe(isMeant);
});
