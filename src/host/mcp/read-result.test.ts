import { expect, test } from 'vitest';
import { readResult } from './read-result.ts';

const resultWords = (result: Parameters<typeof readResult>[0]): string => readResult(result).text;
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

const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

test('A picture is told by its bytes, whatever its server calls it, and named with its size', () => {
  const image = { type: 'image' as const, data: png, mimeType: 'image/svg+xml' };
  const { text: words, pictures } = readResult({ content: [text('Here:'), image] });
  expect(words).toBe('Here:\n[picture-1.png: 1 × 1 pixels, 70 bytes]');
  expect(pictures).toEqual([{ name: 'picture-1.png', bytes: Buffer.from(png, 'base64') }]);
});

const blob = (data: string) => ({ type: 'resource' as const, resource: { uri: 'note://1', blob: data } });

test('A resource that holds a picture is one, and any other one is named', () => {
  const { text: words, pictures } = readResult({ content: [blob(png), blob('AAAA')] });
  expect(words).toBe('[note://1] [picture-1.png: 1 × 1 pixels, 70 bytes]\n[note://1, 3 bytes: not shown]');
  expect(pictures).toHaveLength(1);
});

test('A sound is named with its kind and size', () => {
  const audio = { type: 'audio' as const, data: 'a'.repeat(4_000), mimeType: 'audio/wav' };
  expect(resultWords({ content: [audio] })).toBe('[audio/wav, 3,000 bytes: not shown]');
});

test('A picture that is larger than one may be is named and not taken', () => {
  const image = { type: 'image' as const, data: png + 'A'.repeat(14_000_000), mimeType: 'image/png' };
  const { text: words, pictures } = readResult({ content: [image] });
  expect(words).toContain('[A picture that is too large, 10,500,');
  expect(pictures).toEqual([]);
});
