import { expect, it } from 'vitest';
import { fileText } from './file-text.ts';

const latin = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const utf16 = (text: string): Buffer => Buffer.from(`\ufeff${text}`, 'utf16le');

it.each([
  ['UTF-8', Buffer.from('Grüße, 5 €\n'), 'Grüße, 5 €\n'],
  ['UTF-8 with a mark', Buffer.from('\ufeffGrüße'), 'Grüße'],
  [
    'a table that Excel wrote in German',
    latin('Stra\xdfe;Preis\r\n\x80;5\t\r\n'),
    'Straße;Preis\r\n€;5\t\r\n',
  ],
  ['UTF-16', utf16('Grüße\r\n'), 'Grüße\r\n'],
  ['UTF-16 with its large bytes first', utf16('Grüße').swap16(), 'Grüße'],
  ['UTF-8 that holds signs of a terminal', Buffer.from('\x1b[1mbold\x07'), '\x1b[1mbold\x07'],
])('%s is read as text', (_, bytes, text) => {
  expect(fileText(bytes)).toBe(text);
});

it.each([
  ['zeros and no mark', latin('a\0b')],
  ['zeros among what is not UTF-8', latin('\xdf\0b')],
  ['a zero in UTF-16', utf16('a\0b')],
  ['half a sign of UTF-16', utf16('ab').subarray(0, 5)],
  ['signs of control, and no UTF-8', latin('\xff\xfb\x90\x04\x01abc')],
  ['a sign that windows-1252 does not have', latin('\x81abc')],
])('what holds %s is no text', (_, bytes) => {
  expect(fileText(bytes)).toBeNull();
});

it('the whole of it counts, also what stands between two pieces', () => {
  const text = `${'x'.repeat(70_000)}ß\u{1F600}`;
  expect(fileText(Buffer.from(text))).toBe(text);
  expect(fileText(latin(`${'x'.repeat(70_000)}\0\xdf`))).toBeNull();
});
