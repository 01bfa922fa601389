import assert from 'node:assert/strict';
import { test } from 'node:test';

import { formatBooks, parseBooks } from '../src/csv.js';
import { giveBack, inTheBox, lend, overdue } from '../src/ledger.js';

const TEXT = [
  'id,title,author,shelf,reader,since',
  '1,Salt and Signal,Tomas Lindqvist,A,,',
  '2,Soup for Eleven,Rosa Halvorsen,B,Jonas,2026-09-02',
  '',
].join('\n');
const books = parseBooks(TEXT);

test('a book that is in the box can be lent once', () => {
  const lent = lend(books, 1, 'Mira', '2026-11-01');
  assert.equal(inTheBox(lent).length, 0);
  assert.throws(() => lend(lent, 1, 'Leila', '2026-11-02'), /with Mira/);
});

test('a book comes back and can go out again', () => {
  const home = giveBack(books, 2);
  assert.equal(inTheBox(home).length, 2);
  assert.equal(lend(home, 2, 'Leila', '2026-11-02')[1].reader, 'Leila');
});

test('thirty days are allowed, the thirty-first is late', () => {
  assert.equal(overdue(books, '2026-10-02').length, 0);
  assert.equal(overdue(books, '2026-10-03').length, 1);
});

test('a book that does not exist is named in the error', () => {
  assert.throws(() => lend(books, 99, 'Mira', '2026-11-01'), /no book 99/);
});

test('reading and writing the file changes nothing', () => {
  assert.equal(formatBooks(books), TEXT);
});
