import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextProblems } from '../../../test/helpers/session-checks.ts';
import type { OwnedMessage, StoredMessage } from '../store/context.ts';
import { repairHistory } from './history.ts';

const user: StoredMessage = { role: 'user', content: 'hello' };
const assistant = (...ids: string[]): StoredMessage => ({
  role: 'assistant',
  content: 'said',
  thinking: '',
  calls: ids.map((id) => ({ id, name: 'read_file', args: {} })),
});
const result = (callId: string, content = 'read'): StoredMessage => ({
  role: 'tool',
  callId,
  tool: 'read_file',
  content,
});
const owned = (...messages: StoredMessage[]): OwnedMessage[] =>
  messages.map((message) => ({ message, turnId: 't' }));
const roles = (messages: readonly OwnedMessage[]): string[] => messages.map(({ message }) => message.role);

test('a whole history stays as it is', () => {
  const history = owned(user, assistant('a', 'b'), result('a'), result('b'), assistant());
  expect(repairHistory(history)).toEqual({ messages: history, repairs: [] });
  expect(repairHistory([])).toEqual({ messages: [], repairs: [] });
});

test('X12 a: a call without a result is given one, and results stand in the order of the calls', () => {
  const { messages, repairs } = repairHistory(
    owned(user, assistant('a', 'b', 'c'), result('c'), result('a')),
  );
  expect(messages.map(({ message }) => (message.role === 'tool' ? message.callId : message.role))).toEqual([
    'user',
    'assistant',
    'a',
    'b',
    'c',
    'assistant',
  ]);
  expect(messages[3]?.message.content).toContain('was not kept');
  expect(repairs).toHaveLength(2);
});

test('X12 a: results of nobody are left out, and an id that is there twice is changed in call and result', () => {
  const { messages, repairs } = repairHistory(
    owned(
      user,
      assistant('a'),
      result('a'),
      result('x'),
      assistant('a', ''),
      result('a', 'second'),
      assistant(),
    ),
  );
  const ids = messages.flatMap(({ message }) => (message.role === 'tool' ? [message.callId] : []));
  expect(ids).toEqual(['a', 'a_2', 'call']);
  expect(
    messages.find(({ message }) => message.role === 'tool' && message.callId === 'a_2')?.message.content,
  ).toBe('second');
  expect(repairs.join()).toContain('call ids');
});

test('X12 a: one id fifty thousand times, in one message and in as many, is mended before anybody waits', () => {
  const most = 50_000;
  const ids = Array.from({ length: most }, () => '');
  const calls = ids.map((id) => ({ id, name: 'read_file', args: {} }));
  const called: StoredMessage = { role: 'assistant', content: '', thinking: '', calls };
  const inOne = repairHistory([
    ...owned(user, called),
    ...ids.flatMap((id) => owned(result(id))),
    ...owned(assistant()),
  ]);
  const inMany = repairHistory(ids.flatMap((id) => owned(user, assistant(id), result(id), assistant())));
  for (const { messages, repairs } of [inOne, inMany]) {
    expect(repairs).toEqual([`${String(most)} × call ids that were empty or there twice were changed`]);
    const answered = messages.flatMap(({ message }) => (message.role === 'tool' ? [message.callId] : []));
    expect(new Set(answered).size).toBe(most);
  }
});

test('roles alternate, and nothing that was said is lost', () => {
  const { messages } = repairHistory(owned(assistant(), assistant(), user, user));
  expect(roles(messages)).toEqual([
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
    'user',
    'assistant',
  ]);
});

test('X12 a: whatever comes in, what comes out is a valid history, and repairing it again changes nothing', () => {
  const id = fc.constantFrom('', 'a', 'b', 'a_2', '__proto__');
  const message = fc.oneof(
    fc.constant(user),
    fc.array(id, { maxLength: 3 }).map((ids) => assistant(...ids)),
    id.map((callId) => result(callId)),
  );
  fc.assert(
    fc.property(fc.array(message, { maxLength: 14 }), (history) => {
      const { messages } = repairHistory(owned(...history));
      expect(
        contextProblems(
          messages.map((each) => each.message),
          true,
        ),
      ).toEqual([]);
      expect(repairHistory(messages)).toEqual({ messages, repairs: [] });
    }),
    { numRuns: 300 },
  );
});
