import { expect, it } from 'vitest';
import type { ContextMessage } from '../providers/provider.ts';
import { createMemoryLog } from './memory-log.ts';

const asks: ContextMessage = { role: 'user', content: 'go' };
const calls: ContextMessage = {
  role: 'assistant',
  content: '',
  thinking: '',
  calls: [
    { id: 'a', name: 'echo', args: {} },
    { id: 'b', name: 'echo', args: {} },
  ],
};
const contents = (messages: readonly ContextMessage[]) => messages.map(({ content }) => content);

it('writes a placeholder with each call, so that every prefix is a valid history (X12 a)', () => {
  const log = createMemoryLog('t');
  log.append([asks, calls]);
  expect(contents(log.messages())).toEqual([
    'go',
    '',
    'interrupted; it may have run',
    'interrupted; it may have run',
  ]);
});

it('adds notes to the message that waits for its answer, and to none that was answered', () => {
  const log = createMemoryLog('t');
  log.append([asks]);
  log.addNotes(', now');
  expect(contents(log.messages())).toEqual(['go, now']);
  expect(log.owned()).toEqual([{ message: { role: 'user', content: 'go, now' }, turnId: 't' }]);
  log.append([calls]);
  expect(() => log.addNotes(', later')).toThrow(/before it is sent/);
});

it('puts a result in the place of its own placeholder and ignores one that nobody asked for', () => {
  const log = createMemoryLog('t');
  log.append([asks, calls]);
  log.settle({ callId: 'b', content: 'second' });
  log.settle({ callId: 'nobody', content: 'lost' });
  expect(contents(log.messages()).slice(2)).toEqual(['interrupted; it may have run', 'second']);
  expect(log.owned().map(({ turnId }) => turnId)).toEqual(['t', 't', 't', 't']);
  expect(contents(log.owned().map(({ message }) => message))).toEqual(contents(log.messages()));
});

it('can be rewritten by a compaction, and grows on from there with nothing measured', () => {
  const log = createMemoryLog('t');
  log.append([asks, calls]);
  log.setMeasured({ tokens: 100, messages: 4 });
  expect(log.rewrite([{ message: { role: 'user', content: 'in short' }, turnId: null }])).toBe(2);
  expect(log.measured()).toBeNull();
  log.append([{ role: 'assistant', content: 'done', thinking: '', calls: [] }]);
  expect(contents(log.messages())).toEqual(['in short', 'done']);
  expect(log.owned().map(({ turnId }) => turnId)).toEqual([null, 't']);
});

it('is gone with its subagent: another one begins empty (A3)', () => {
  createMemoryLog('t').append([asks]);
  expect(createMemoryLog('t').messages()).toEqual([]);
});
