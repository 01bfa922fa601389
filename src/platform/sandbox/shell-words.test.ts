import { execFileSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoted, shellWords } from './shell-words.ts';

const word = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom("'", '"', '$', ' ', '\n', '\\', 'a') }));

test('any words come back from the line that they were written into', () => {
  fc.assert(
    fc.property(fc.array(word), (words) => {
      expect(shellWords(words.map(quoted).join(' '))).toEqual(words);
    }),
  );
});

test.skipIf(process.platform === 'win32')('a shell reads the same words in such a line', () => {
  const words = ["it's", '', 'a b\n$HOME `x` "y" \\', "''", '!', 'é'];
  const line = `printf '%s\\0' ${words.map(quoted).join(' ')}`;
  expect(execFileSync('/bin/sh', ['-c', line], { encoding: 'utf8' })).toBe(`${words.join('\0')}\0`);
});

test('plain signs need no quotes, and what stands together is one word', () => {
  expect(shellWords(`env A=b/c:d  'x y'"'"z`)).toEqual(['env', 'A=b/c:d', "x y'z"]);
});

test.each(['a; b', 'echo $HOME', '`x`', 'a\nb', 'a > b', '"a"', "'open", 'a\\ b', 'a*', '~', 'a & b'])(
  'a line that a shell would do more with than split it is no list of words: %j',
  (line) => {
    expect(() => shellWords(line)).toThrow('something else');
  },
);
