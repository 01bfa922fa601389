import { expect, test } from 'vitest';
import { createConversationIndex, historyKey } from './conversation-index.ts';

const said = [
  { role: 'user', content: 'Hello.' },
  { role: 'assistant', content: 'Good day.' },
] as const;

test('a turn is found once by the history that it ended (Y15)', () => {
  const index = createConversationIndex();
  const key = historyKey('and_a', 'developer', said);
  index.put(key, 'turn_1');
  expect([index.take(key), index.take(key)]).toEqual(['turn_1', null]);
});

test('a history is another one with another token, profile, role, text or order (X2)', () => {
  const [first, second] = said;
  const keys = [
    historyKey('and_a', 'developer', said),
    historyKey('and_b', 'developer', said),
    historyKey('and_a', 'talk', said),
    historyKey('and_a', 'developer', [second, first]),
    historyKey('and_a', 'developer', [first]),
    historyKey('and_a', 'developer', [{ role: 'system', content: 'Hello.' }, second]),
    historyKey('and_a', 'developer', [{ role: 'user', content: 'Hello.","assistant' }, second]),
  ];
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.join('')).not.toContain('and_');
});

test('histories that were put longest ago are forgotten first (Y15)', () => {
  const index = createConversationIndex(2);
  index.put('a', 'turn_a');
  index.put('b', 'turn_b');
  index.put('a', 'turn_a');
  index.put('c', 'turn_c');
  expect(index.take('b')).toBeNull();
  expect(index.take('a')).toBe('turn_a');
  expect(index.take('c')).toBe('turn_c');
});
