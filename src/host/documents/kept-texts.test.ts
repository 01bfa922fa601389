import { expect, test } from 'vitest';
import { createKeptTexts } from './kept-texts.ts';

const ofLength = (length: number): string => 'x'.repeat(length);

test('A text is kept as long as its file is in the same state', () => {
  const kept = createKeptTexts<string>((text) => text.length);
  kept.keep('a', '1', 'first');
  expect(kept.find('a', '1')).toBe('first');
  expect(kept.find('a', '2')).toBeUndefined();
  expect(kept.find('b', '1')).toBeUndefined();
});

test('The texts that were used last are kept, up to a length of all of them', () => {
  const kept = createKeptTexts<string>((text) => text.length);
  for (const name of ['a', 'b', 'c']) kept.keep(name, '1', ofLength(4_000_000));
  kept.find('a', '1');
  kept.keep('d', '1', ofLength(4_000_000));
  expect(['a', 'b', 'c', 'd'].filter((name) => kept.find(name, '1') !== undefined)).toEqual(['a', 'c', 'd']);
});

test('A text is kept that is longer than all may be, and alone', () => {
  const kept = createKeptTexts<string>((text) => text.length);
  kept.keep('a', '1', 'short');
  kept.keep('b', '1', ofLength(13_000_000));
  expect([kept.find('a', '1'), kept.find('b', '1')?.length]).toEqual([undefined, 13_000_000]);
});

test('No more than 16 texts are kept, however short', () => {
  const kept = createKeptTexts<string>((text) => text.length);
  for (let at = 0; at < 20; at += 1) kept.keep(String(at), '1', 'x');
  expect(Array.from({ length: 20 }, (_, at) => kept.find(String(at), '1')).filter(Boolean)).toHaveLength(16);
});
