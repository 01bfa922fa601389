import { expect, test } from 'vitest';
import { documentKind, mayBeDocument } from './document-kind.ts';

const bytes = (text: string): Uint8Array => Uint8Array.from(text, (sign) => sign.charCodeAt(0));

const entry = (name: string): string =>
  `PK\x01\x02${'\0'.repeat(24)}${String.fromCharCode(name.length)}${'\0'.repeat(17)}${name}`;

/** A zip of empty files, with nothing but what tells its kind. */
function zipOf(...names: string[]): Uint8Array {
  const list = names.map(entry).join('');
  const count = `${String.fromCharCode(names.length)}\0`;
  const size = `${String.fromCharCode(list.length & 0xff, list.length >> 8)}\0\0`;
  return bytes(`PK\x03\x04${list}PK\x05\x06\0\0\0\0${count}${count}${size}\x04\0\0\0\0\0`);
}

const types = '[Content_Types].xml';

test.each([
  ['%PDF-1.7\n', 'pdf'],
  ['\xef\xbb\xbf%PDF-2.0', 'pdf'],
  ['\n\n%PDF-1.4', 'pdf'],
  ['It begins with %PDF-1.7', null],
  ['%PDF- is what it begins with', null],
  ['\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'ole'],
  ['PK\x03\x04 and nothing more', 'damaged'],
  ['', null],
])('a file that begins with %j is told by it', (text, kind) => {
  expect(documentKind(bytes(text))).toBe(kind);
  expect(mayBeDocument(bytes(text))).toBe(kind !== null);
});

test.each([
  [[types, 'word/document.xml'], 'docx'],
  [[types, 'word/document2.xml'], 'docx'],
  [[types, 'xl/workbook.xml'], 'xlsx'],
  [[types, 'xl/workbook.bin'], 'xlsb'],
  [[types, 'ppt/presentation.xml'], 'pptx'],
  [['mimetype', 'META-INF/container.xml'], 'epub'],
  [['word/document.xml'], null],
  [['notes.txt'], null],
  [[types, 'mine/word/document.xml'], null],
])('a zip that holds %j is told by what it holds', (names, kind) => {
  expect(documentKind(zipOf(...names))).toBe(kind);
});

test('a zip whose list of contents is cut anywhere is damaged, and is no reason to fail', () => {
  const whole = zipOf(types, 'word/document.xml');
  for (let length = 4; length < whole.length; length += 1)
    expect([length, documentKind(whole.subarray(0, length))]).toEqual([length, 'damaged']);
});
