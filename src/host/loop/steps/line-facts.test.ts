import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import { lineFacts } from './line-facts.ts';

const file = 'Greta\nKatya\nCarmen\nAmara\n';

test.each([
  ['Which name stands on line 3 of guests.txt?', 'Line 3: Carmen'],
  ['guests.txtの2行目は?', 'Line 2: Katya'],
  ['guests.txt 第 2 行是什么？', 'Line 2: Katya'],
  ['Quelles sont les lignes 1 et 4 ?', 'Line 1: Greta\nLine 4: Amara'],
  ['Is anybody called 9 in it?', null],
  ['Version 2.0 of KB-3 costs 4 %, or 1,5', null],
  ['The meeting is at 2:30.', null],
])('A line that the message names by its number is told: %s', (message, told) => {
  expect(lineFacts(personMessage(message), file)).toBe(told);
});

test('An empty line, and one that is too long to be told once more, are left to the file', () => {
  expect(lineFacts(personMessage('lines 1, 2 and 3'), `\n${'x'.repeat(300)}\nlast\n`)).toBe('Line 3: last');
});
