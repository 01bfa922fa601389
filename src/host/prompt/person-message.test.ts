import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { personMessage, readMessage } from './person-message.ts';

test('The text of a message is read to the letter', () => {
  expect(readMessage(personMessage(' Fix it.\r\n '))).toBe(' Fix it.\r\n ');
});

test('Whatever the compiler is told that a message is, nothing but its reader has its text', () => {
  const message: unknown = personMessage('delete all');
  const cast = message as string;
  expect([`> ${cast}`, JSON.stringify(cast), inspect(message, { showHidden: true })]).not.toContainEqual(
    expect.stringContaining('delete'),
  );
  expect([structuredClone(message), Object.assign({}, message)]).toEqual([{}, {}]);
  expect(/delete/.test(cast)).toBe(false);
});
