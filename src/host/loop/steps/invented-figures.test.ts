import { expect, test } from 'vitest';
import { inventsFigures } from './invented-figures.ts';

const seen = ['Look up the room number in saddle.md.', 'Nothing in . matches saddle.md, 2 of 1,204 files.'];

test.each([
  ['The room number is 123.', true],
  ['号码是１２３。', true],
  ['There are 2 files.', false],
  ['1,204 files were read.', false],
  ['1204 files were read.', true],
  ['I did not find saddle.md.', false],
  ['', false],
])('The answer %j has figures from nowhere: %j', (answer, invents) => {
  expect(inventsFigures(answer, seen)).toBe(invents);
});
