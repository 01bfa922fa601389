/** Which kind of document a file is, told by its bytes. Nothing is unpacked. */
import { zipEntries } from './zip-entries.ts';

export const documentFormats = ['pdf', 'docx', 'xlsx', 'pptx', 'epub'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/**
 * `ole`: what Office wrote before 2007, and what it writes under a password. `xlsb`: a workbook that holds no text.
 * `damaged`: an archive whose list of contents is not whole, which many documents are. None of these is read here.
 */
export type DocumentKind = DocumentFormat | 'ole' | 'xlsb' | 'damaged';

/** Whether a document of this kind is read here. */
export const isDocumentFormat = (kind: string | null): kind is DocumentFormat =>
  documentFormats.some((format) => format === kind);

export const documentMimes: Readonly<Record<DocumentFormat, string>> = {
  pdf: 'application/pdf',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  epub: 'application/epub+zip',
};

export const isDocumentMime = (mime: string): boolean => Object.values(documentMimes).includes(mime);

/** So many bytes of its beginning tell whether a file may be a document. */
export const headBytes = 64;

const startsWith = (bytes: Uint8Array, signature: readonly number[]): boolean =>
  signature.every((byte, index) => bytes[index] === byte);

const zip = [0x50, 0x4b, 0x03, 0x04];
const ole = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];

/** False = it is none, whatever follows. */
export const mayBeDocument = (head: Uint8Array): boolean =>
  startsWith(head, zip) || startsWith(head, ole) || isPdf(head);

/** @param bytes the whole file; null = it is no document */
export function documentKind(bytes: Uint8Array): DocumentKind | null {
  if (isPdf(bytes)) return 'pdf';
  if (startsWith(bytes, ole)) return 'ole';
  return startsWith(bytes, zip) ? kindOfZip(bytes) : null;
}

/** Some programs write a mark or an empty line before it. */
function isPdf(bytes: Uint8Array): boolean {
  const head = Array.from(bytes.subarray(0, headBytes), (byte) => String.fromCharCode(byte)).join('');
  return /^(?:\xef\xbb\xbf)?\s*%PDF-\d/.test(head);
}

function kindOfZip(bytes: Uint8Array): DocumentKind | null {
  const entries = zipEntries(bytes);
  if (!entries) return 'damaged';
  if (entries.has('META-INF/container.xml')) return 'epub';
  if (!entries.has('[Content_Types].xml')) return null;
  if (entries.has('xl/workbook.bin')) return 'xlsb';
  const names = [...entries.keys()];
  const holds = (folder: string): boolean => names.some((name) => name.startsWith(folder));
  if (holds('word/')) return 'docx';
  if (holds('xl/')) return 'xlsx';
  return holds('ppt/') ? 'pptx' : null;
}
