import { expect, test } from 'vitest';
import { linesToChange } from './lines-to-change.ts';

const file = 'lines 1-4 of 4\nhost: a\nlogging: true\nlevel: 3\nhost: a';

test('the line that shares most with the message', () => {
  expect(linesToChange([file], 'turn logging to false')).toEqual(['logging: true']);
});

test('every line that stands there once, where none shares anything', () => {
  expect(linesToChange([file], 'improve it')).toEqual(['logging: true', 'level: 3']);
  expect(linesToChange([], 'improve it')).toEqual([]);
});
