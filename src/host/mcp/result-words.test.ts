import { expect, test } from 'vitest';
import { resultWords } from './result-words.ts';

const text = (words: string) => ({ type: 'text' as const, text: words });

test('A text that repeats the structure beside it is left out, whatever its blanks and its order', () => {
  const structuredContent = { city: 'Graz', degrees: [1, 2] };
  const copy = JSON.stringify({ degrees: [1, 2], city: 'Graz' }, null, 2);
  expect(resultWords({ content: [text(copy)], structuredContent })).toBe('{"city":"Graz","degrees":[1,2]}');
});

test('A text that says something else comes before the structure', () => {
  const result = { content: [text('It rains.')], structuredContent: { degrees: 3 } };
  expect(resultWords(result)).toBe('It rains.\n{"degrees":3}');
});

test('A text that is nearly the structure is kept', () => {
  const result = { content: [text('{"degrees":4}')], structuredContent: { degrees: 3 } };
  expect(resultWords(result)).toBe('{"degrees":4}\n{"degrees":3}');
});

test.each([
  ['file:///home/ada/a.txt', 'read_file'],
  ['https://example.com/a', 'name its address to the person'],
  ['note://7', 'Only its server can read it'],
  ['no address', 'Only its server can read it'],
])('A link to %s says how it is read', (uri, words) => {
  const link = { type: 'resource_link' as const, uri, name: 'a', title: 'Notes' };
  expect(resultWords({ content: [link] })).toMatch(new RegExp(`^\\[Notes: ${uri}\\. .*${words}`));
});

test('An image is named with its kind and size', () => {
  const image = { type: 'image' as const, data: 'a'.repeat(4_000), mimeType: 'image/png' };
  expect(resultWords({ content: [image] })).toBe('[image/png, 3,000 bytes: not shown]');
});
