import { expect, it } from 'vitest';
import { extensionOf, sniff } from './sniff.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

it.each([
  ['a.png', '\x89PNG\r\n\x1a\n\0\0', 'image', 'image/png'],
  ['a.txt', '\xff\xd8\xff\xe0 as its name does not say', 'image', 'image/jpeg'],
  ['a.gif', 'GIF89a\x01\0', 'image', 'image/gif'],
  ['a.webp', 'RIFF\x10\0\0\0WEBPVP8 ', 'image', 'image/webp'],
  ['a.wav', 'RIFF\x10\0\0\0WAVEfmt ', 'other', 'application/octet-stream'],
  ['photo.png', 'only its name is that of an image', 'text', 'text/plain'],
  ['drawing.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>', 'text', 'image/svg+xml'],
  ['data.CSV', 'a;b\n1;2\n', 'text', 'text/csv'],
  ['Makefile', 'all:\n', 'text', 'text/plain'],
  ['paper.pdf', '%PDF-1.7\n\xe2\xe3\xcf\xd3', 'other', 'application/pdf'],
  ['plain.pdf', '%PDF-1.4\n1 0 obj', 'other', 'application/pdf'],
  ['paper.docx', 'PK\x03\x04\0cut', 'other', 'application/octet-stream'],
  ['files.zip', 'PK\x03\x04\0cut', 'other', 'application/zip'],
  ['latin.txt', 'stra\xdfe', 'text', 'text/plain'],
  ['preise.csv', 'Stra\xdfe;5 \x80\r\n', 'text', 'text/csv'],
  ['utf-16.txt', '\xff\xfea\0\xdf\0', 'text', 'text/plain'],
  ['sound.mp3', '\xff\xfb\x90\x04\x01', 'other', 'application/octet-stream'],
  ['nul.txt', 'a\0b', 'other', 'application/octet-stream'],
] as const)('%s is told by its bytes (%j)', (name, content, kind, mime) => {
  expect(sniff(name, bytes(content))).toEqual({ kind, mime });
});

it.each([
  ['a.tar.gz', '.gz'],
  ['.bashrc', '.bashrc'],
  ['a.', ''],
  ['a.b c', ''],
  ['a.überlang', ''],
  ['a./../etc', ''],
])('%s ends in %j', (name, extension) => {
  expect(extensionOf(name)).toBe(extension);
});
