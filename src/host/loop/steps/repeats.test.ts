import { expect, test } from 'vitest';
import { personMessage } from '../../prompt/person-message.ts';
import { withoutMessageBehind } from './repeats.ts';

const message = personMessage('Would you make a file a.txt? Thanks!');

test.each([
  ['Created a.txt. Would you make a file a.txt? Thanks!', 'Created a.txt.'],
  ["Created a.txt. 'would you make a file a.txt; thanks'", 'Created a.txt.'],
  // It says something of its own behind the message, or nothing in front of it.
  ['Created a.txt. Would you make a file a.txt? Thanks! Yes.', null],
  ['Would you make a file a.txt? Thanks!', null],
  ['"Would you make a file a.txt? Thanks!"', null],
  ['Created a file a.txt? Thanks!', null],
])('Of %j the message over again is left out: %j', (answer, left) => {
  expect(withoutMessageBehind(answer, message)).toBe(left ?? answer);
});

test('A word of a short message may end an answer', () => {
  expect(withoutMessageBehind('The word is basket.', personMessage('say basket'))).toBe(
    'The word is basket.',
  );
  expect(withoutMessageBehind('The word is basket.', personMessage('basket'))).toBe('The word is basket.');
});
