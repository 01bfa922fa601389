/** What a file is, told by its bytes; its name only chooses among kinds of text and of archives. */
import type { Attachment } from '../../protocol/attachments.ts';
import { documentKind, documentMimes, isDocumentFormat } from '../../rules/document-kind.ts';
import { fileText } from '../../rules/file-text.ts';

/** Of the file as it lies in the data folder: letters and digits, or nothing. */
export const extensionOf = (name: string): string => /\.[a-z0-9]{1,10}$/.exec(name.toLowerCase())?.[0] ?? '';

const startsWith = (bytes: Uint8Array, text: string, at = 0): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset + at, Math.min(text.length, bytes.length - at)).toString(
    'latin1',
  ) === text;

const images: [mime: string, is: (bytes: Uint8Array) => boolean][] = [
  ['image/png', (bytes) => startsWith(bytes, '\x89PNG\r\n\x1a\n')],
  ['image/jpeg', (bytes) => startsWith(bytes, '\xff\xd8\xff')],
  ['image/gif', (bytes) => startsWith(bytes, 'GIF87a') || startsWith(bytes, 'GIF89a')],
  ['image/webp', (bytes) => bytes.length > 12 && startsWith(bytes, 'RIFF') && startsWith(bytes, 'WEBP', 8)],
];

const texts: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.htm': 'text/html',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.svg': 'image/svg+xml',
  '.tsv': 'text/tab-separated-values',
  '.xml': 'application/xml',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
};

/** Of a picture that models and windows show; null = it is none. */
export const pictureMime = (bytes: Uint8Array): string | null =>
  images.find(([, is]) => is(bytes))?.[0] ?? null;

export function sniff(name: string, bytes: Uint8Array): Pick<Attachment, 'kind' | 'mime'> {
  const picture = pictureMime(bytes);
  if (picture !== null) return { kind: 'image', mime: picture };
  const document = documentKind(bytes);
  if (isDocumentFormat(document)) return { kind: 'other', mime: documentMimes[document] };
  const extension = extensionOf(name);
  if (fileText(bytes) !== null) return { kind: 'text', mime: texts[extension] ?? 'text/plain' };
  const isZip = extension === '.zip' && startsWith(bytes, 'PK\x03\x04');
  return { kind: 'other', mime: isZip ? 'application/zip' : 'application/octet-stream' };
}
