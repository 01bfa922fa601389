import { expect, test } from 'vitest';
import { markedPieces } from './marked.ts';

const told = (text: string, query: string): string =>
  markedPieces(text, query)
    .map(({ words, found }) => (found ? `[${words}]` : words))
    .join('');

test('every place of the query is marked, whatever its case', () => {
  expect(told('Retry, then retry again', ' retry ')).toBe('[Retry], then [retry] again');
  expect(told('the Löwe', 'LÖWE')).toBe('the [Löwe]');
});

test('a text without the query, or without a query, stays in one piece', () => {
  expect(markedPieces('Queue', 'retry')).toEqual([{ at: 0, words: 'Queue', found: false }]);
  expect(markedPieces('Queue', ' ')).toEqual([{ at: 0, words: 'Queue', found: false }]);
});

test('where a letter changes its length with its case nothing is marked wrongly', () => {
  expect(told('İstanbul retry', 'retry')).toBe('İstanbul retry');
});
