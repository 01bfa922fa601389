import { array, assert, constantFrom, integer, nat, property, string, tuple } from 'fast-check';
import { expect, test } from 'vitest';
import { createMatchReader, type RipgrepMatch } from './ripgrep-matches.ts';

function readInPieces(output: string, cuts: readonly number[]): RipgrepMatch[] {
  const found: RipgrepMatch[] = [];
  const read = createMatchReader((match) => found.push(match));
  let from = 0;
  for (const cut of cuts.map((at) => at % (output.length + 1)).toSorted((a, b) => a - b)) {
    read(output.slice(from, cut));
    from = cut;
  }
  read(output.slice(from));
  return found;
}

const remark = (path: string): string =>
  `${path}: WARNING: stopped searching binary file after match (found "\\0" byte around offset 70000)\n`;

test('matches are read from output in pieces of any size, whatever is in names and lines (audit-S19)', () => {
  const nasty = constantFrom('\n', ':', '1:', './', '\u202E', 'a', ' ', ': binary file matches (found "');
  const name = array(nasty, { minLength: 1, maxLength: 8 }).map((parts) => `./${parts.join('')}`);
  const line = string({ maxLength: 20 }).map((text) => text.replaceAll(/[\n\0]/g, ''));
  const [isMatch, binary] = [constantFrom(true, false), constantFrom(true, false)];
  const match = tuple(name, integer({ min: 1, max: 9_999 }), line, isMatch, binary);
  assert(
    property(array(match), array(nat()), (matches, cuts) => {
      const output = matches
        .map(
          ([path, at, text, isMatch, binary]) =>
            `${path}\0${String(at)}${isMatch ? ':' : '-'}${text}\n${binary ? remark(path) : ''}`,
        )
        .join('');
      expect(readInPieces(output, cuts)).toEqual(
        matches.map(([path, at, text, isMatch]) => ({ path, line: at, text, isMatch })),
      );
    }),
  );
});
