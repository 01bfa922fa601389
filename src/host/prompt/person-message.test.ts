import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { personMessage, readMessage } from './person-message.ts';

test('The text of a message is read to the letter', () => {
  expect(readMessage(personMessage(' Fix it.\r\n '))).toBe(' Fix it.\r\n ');
});

test('Whatever the compiler is told that a message is, nothing but its reader has its text', () => {
  const message = personMessage('delete all');
  const seen = [
    String(message),
    JSON.stringify({ message }),
    inspect(message, { showHidden: true }),
    message,
  ];
  const copied = [{ ...message }, structuredClone(message), Reflect.ownKeys(message)];
  expect(JSON.stringify([...seen, ...copied])).not.toContain('delete');
  expect(/delete/.test(message as unknown as string)).toBe(false);
});
