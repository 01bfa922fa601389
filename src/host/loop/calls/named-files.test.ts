import { expect, test } from 'vitest';
import { namedEntries } from './named-files.ts';

const entries = [
  'readme.md',
  'src/',
  'src/app.ts',
  'src/app.test.ts',
  'old/',
  'old/app.ts',
  'Makefile',
  'my notes.txt',
];
const named = (message: string) => namedEntries(message, entries);

test('files are named by their path, or by their name where it is the only one', () => {
  expect(named('Fix src/app.ts, please.').files).toEqual(['src/app.ts']);
  expect(named('what does ./app.test.ts say?').files).toEqual(['src/app.test.ts']);
  expect(named('open app.ts').files).toEqual([]);
  expect(named('Look into "my notes.txt" and Makefile').files).toEqual(['Makefile', 'my notes.txt']);
});

test('folders are named by their path', () => {
  expect(named('What lies in src?').folders).toEqual(['src']);
  expect(named('What lies in old/app.ts?').folders).toEqual([]);
});

test('a path that does not exist is missing, two words with a slash are not one', () => {
  expect(named('Save it to out/RESULT and in sum.txt.').missing).toEqual(['out/RESULT', 'sum.txt']);
  expect(named('and/or, 7/8, 1.5 and node.js, see https://a.example/b.html').missing).toEqual([]);
  expect(named('copy readme.md').missing).toEqual([]);
});

test('endings of names are patterns', () => {
  expect(named('every .csv and all *.ts files').patterns).toEqual(['*.csv', '*.ts']);
  expect(named('a.csv ends. .5 too').patterns).toEqual([]);
});
