import { array, assert, constantFrom, nat, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { visibleText } from '../rules/visible-text/visible-text.ts';
import { plainJson, quoted, TerminalStream } from './terminal-text.ts';

function streamed(pieces: readonly string[]): string[] {
  const written: string[] = [];
  const stream = new TerminalStream((text) => written.push(text));
  for (const piece of pieces) stream.add(piece);
  stream.end();
  return written;
}

/** All that a terminal obeys or hides. */
const obeyed = /[[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]--[\n\t]]/v;
/** What of it belongs to how emoji and some scripts are written. */
const drawn = /\u200C|\u200D|[\u{E0020}-\u{E007F}]/gu;

test('a text in pieces is written as the whole text would be, wherever it is cut', () => {
  const plain = ['a', ' ', '\n', '\u001B[2J', '\u202E', '👩‍👩‍👧', 'é', '\u{1F600}', '\u200B', 'שלום'];
  const unspaced = ['日', 'か\u3099', 'カ', 'ー', '。', '\u200D', '葛\u{E0100}', '㊗\uFE0F', '\u{20BB7}'];
  const signs = constantFrom(...plain, ...unspaced);
  assert(
    property(array(signs, { maxLength: 30 }), array(nat(20), { maxLength: 20 }), (parts, cuts) => {
      const text = parts.join('');
      const pieces: string[] = [];
      let rest = text;
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      expect(streamed([...pieces, rest]).join('')).toBe(visibleText(text));
    }),
  );
});

test('nothing that a terminal obeys passes, whatever the text is and however it is cut', () => {
  assert(
    property(array(string({ unit: 'binary', maxLength: 40 }), { maxLength: 10 }), (pieces) => {
      expect(streamed(pieces).join('').replaceAll(drawn, '')).not.toMatch(obeyed);
    }),
  );
});

test('whole words are written at once, and the last one at the end', () => {
  expect(streamed(['One', ' wo', 'rd\nmore'])).toEqual(['One ', 'word\n', 'more']);
});

test('a text that is written without blanks is written as it comes, and its last sign at the end', () => {
  expect(streamed(Array.from('今日は。良い'))).toEqual(['今', '日', 'は。', '良', 'い']);
});

test('a word without an end is written in pieces, and no character is cut in two', () => {
  const text = '\u{1F600}'.repeat(2_000);
  const written = streamed(Array.from(text));
  expect(written.length).toBeGreaterThan(1);
  expect(written.join('')).toBe(text);
});

test('each line of a quoted text stands behind its mark', () => {
  expect(quoted('one\nAllow? [y]es\r\u001B[1A')).toBe('  | one\n  | Allow? [y]es\\u000d\\u001b[1A');
});

test('plain JSON is the same value in ASCII', () => {
  const value = { text: 'é\u202E\u001B\u009B\u{1F600}\u2028' };
  const text = plainJson(JSON.stringify(value));
  expect(text).toMatch(/^[ -~]*$/);
  expect(JSON.parse(text)).toEqual(value);
});
