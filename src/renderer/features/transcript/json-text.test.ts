import { assert, jsonValue, property } from 'fast-check';
import { expect, it } from 'vitest';
import { jsonText } from './json-text.ts';

it('keeps on one line what fits there, and breaks only what does not', () => {
  expect(jsonText({ repository: 'kiln', number: 482, fields: ['title', 'labels'] })).toBe(
    '{ "repository": "kiln", "number": 482, "fields": ["title", "labels"] }',
  );
  const url = `https://example.org/${'a'.repeat(60)}`;
  expect(jsonText({ url, limits: { characters: 8000 } })).toBe(
    `{\n  "url": "${url}",\n  "limits": { "characters": 8000 }\n}`,
  );
});

it('says the same as what it was made of', () => {
  assert(
    property(jsonValue(), (value) => {
      expect(JSON.parse(jsonText(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it('breaks at every depth what is long', () => {
  let deep: unknown = 'x'.repeat(100);
  for (let depth = 0; depth < 200; depth += 1) deep = { deep };
  expect(jsonText(deep).split('\n')).toHaveLength(401);
});
