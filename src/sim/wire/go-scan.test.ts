import { expect, test } from 'vitest';

import { scanJson } from './go-scan.ts';

test.each(['{}', '[1, -2.5e3, true, null]', '{"a": {"b": ["\\u00e9\\n", ""]}}', '"text"', '0'])(
  'the end of %s is found, whatever follows',
  (text) => {
    expect(scanJson(`${text} tail`)).toEqual({ kind: 'value', end: text.length });
  },
);

test.each(['', '{"a"', '{"a": [1, ', '"open', '{"a": tru', '-'])('%j may still become a value', (text) => {
  expect(scanJson(text)).toEqual({ kind: 'incomplete' });
});

test.each([
  ['{"city": Oslo}', "invalid character 'O' looking for beginning of value"],
  ['{city: 1}', "invalid character 'c' looking for beginning of object key string"],
  ['{"a" 1}', "invalid character '1' after object key"],
  ['{"a": 1 "b"}', `invalid character '"' after object key:value pair`],
  ['[1 2]', "invalid character '2' after array element"],
  ['{"a": trux}', "invalid character 'x' in literal true (expecting 'e')"],
  ['"a\nb"', "invalid character '\\n' in string literal"],
])('%j is refused in the words of Go', (text, message) => {
  expect(scanJson(text)).toEqual({ kind: 'error', message });
});
