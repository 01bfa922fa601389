import { expect, test } from 'vitest';
import { tableFacts } from './table-facts.ts';

test('A table is told by its rows, and each column of numbers by its figures', () => {
  expect(tableFacts('item,price\nsaucer,81\nmirror,19\nbasket,67.5')).toBe(
    'Rows below the heading: 3\nlargest price: 81 (saucer)\nsmallest price: 19 (mirror)\nprice in all: 167.5, average 55.833333',
  );
});

test.each([
  [
    'semicolons',
    'a;b\nx;1\ny;2',
    'Rows below the heading: 2\nlargest b: 2 (y)\nsmallest b: 1 (x)\nb in all: 3, average 1.5',
  ],
  [
    'tabs',
    'a\tb\nx\t-1\ny\t2',
    'Rows below the heading: 2\nlargest b: 2 (y)\nsmallest b: -1 (x)\nb in all: 1, average 0.5',
  ],
  [
    'only numbers',
    'n,m\n1,2\n3,4',
    'Rows below the heading: 2\nlargest n: 3\nsmallest n: 1\nn in all: 4, average 2\nlargest m: 4 (3)\nsmallest m: 2 (1)\nm in all: 6, average 3',
  ],
  ['a column of words', 'a,b\nx,1\ny,many', 'Rows below the heading: 2'],
  [
    'blank lines',
    'a,b\n\nx,1\ny,1\n',
    'Rows below the heading: 2\nlargest b: 1 (x)\nsmallest b: 1 (x)\nb in all: 2, average 1',
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
  expect(tableFacts('a,b\nx,0.1\ny,0.2')).toContain('b in all: 0.3,');
});
