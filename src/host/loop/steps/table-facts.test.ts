import { expect, test } from 'vitest';
import { tableFacts } from './table-facts.ts';

test('A table is told by its rows, and each column of numbers by its figures', () => {
  expect(tableFacts('item,price\nsaucer,81\nmirror,19\nbasket,67.5')).toBe(
    'Rows below the heading: 3. price: sum 167.5, average 55.833333, smallest 19 (mirror), largest 81 (saucer).',
  );
});

test.each([
  [
    'semicolons',
    'a;b\nx;1\ny;2',
    'Rows below the heading: 2. b: sum 3, average 1.5, smallest 1 (x), largest 2 (y).',
  ],
  [
    'tabs',
    'a\tb\nx\t-1\ny\t2',
    'Rows below the heading: 2. b: sum 1, average 0.5, smallest -1 (x), largest 2 (y).',
  ],
  [
    'only numbers',
    'n,m\n1,2\n3,4',
    'Rows below the heading: 2. n: sum 4, average 2, smallest 1, largest 3. m: sum 6, average 3, smallest 2 (1), largest 4 (3).',
  ],
  ['a column of words', 'a,b\nx,1\ny,many', 'Rows below the heading: 2.'],
  [
    'blank lines',
    'a,b\n\nx,1\ny,1\n',
    'Rows below the heading: 2. b: sum 2, average 1, smallest 1 (x), largest 1 (x).',
  ],
])('A table with %s is read', (_, text, told) => {
  expect(tableFacts(text)).toBe(told);
});

test.each([
  ['prose with a comma', 'Dear Ada,\nthank you, and good night.'],
  ['rows of other lengths', 'a,b\nx,1,2'],
  ['a heading of numbers', '1,2\n3,4'],
  ['quoted cells', 'a,b\n"x, y",1'],
  ['one line', 'a,b'],
  ['two sentences', 'Hello, Ada\nThank you, bye'],
  ['nothing', ''],
  ['a source file', 'import { a } from "b";\nconst x = f(a, 1);'],
])('Nothing is told of %s', (_, text) => {
  expect(tableFacts(text)).toBe(null);
});

test('Sums keep their cents', () => {
  expect(tableFacts('a,b\nx,0.1\ny,0.2')).toContain('sum 0.3,');
});
