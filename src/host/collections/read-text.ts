/** The text of one file of a collection, or why there is none. */
import { extname } from 'node:path';
import { FileRefusedError, type FileStat, type ReadableFiles } from '../../platform/files.ts';
import { ToolFailure } from '../tools/tool.ts';
import type { DocumentAccess } from '../tools/document-access.ts';
import { decodeText, isHtml } from '../web/decode-text.ts';
import type { FileText } from './split-passages.ts';

export interface HeadDeps {
  files: Pick<ReadableFiles, 'readChunks'>;
}

export interface ReadTextDeps extends HeadDeps {
  files: Pick<ReadableFiles, 'readBytes' | 'readChunks'>;
  documents: Pick<DocumentAccess, 'read'>;
  /** Rejects with ToolFailure where nothing can be read. */
  readPage: (page: { html: string; url: string }, signal: AbortSignal) => Promise<{ text: string }>;
}

interface TextFile {
  /** Its real path. */
  path: string;
  /** As a person knows it. */
  shown: string;
  stat: FileStat;
}

/** A larger file is data rather than something to read. */
export const maxTextBytes = 4 * 1024 * 1024;
const pageNames = new Set(['.html', '.htm', '.xhtml']);
const markdownNames = new Set(['.md', '.markdown', '.mdx']);
const tableNames = new Set(['.csv', '.tsv']);

/** `isPassing`: the same file may be read another time. */
export type ReadText = { text: FileText } | { problem: string; isPassing?: boolean };

/** Rejects with the signal's reason, and where the file cannot be opened. */
export async function readText(
  file: TextFile,
  { files, documents, readPage }: ReadTextDeps,
  signal: AbortSignal,
): Promise<ReadText> {
  const { path, shown, stat } = file;
  if (stat.size === 0) return { problem: 'It is empty.' };
  try {
    const document = await documents.read({ path, shown, stat }, signal);
    if (document) return { text: { lines: document.lines, marks: document.marks, headings: 'none' } };
    // Before all of a film is read.
    if (holdsNoText(await headOf(path, { files }))) return { problem: 'There is no text in it.' };
    const bytes = await files.readBytes(path, maxTextBytes);
    const text = decodeText(bytes, '');
    if (text === null) return { problem: 'There is no text in it.' };
    const extension = extname(path).toLowerCase();
    if (pageNames.has(extension) || isHtml('', bytes)) {
      const page = await readPage({ html: text, url: 'about:blank' }, signal);
      return { text: { lines: linesOf(page.text), marks: [], headings: 'markdown' } };
    }
    return { text: { lines: linesOf(text), marks: [], headings: headingsOf(extension) } };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ToolFailure)
      return { problem: withoutName(error.message, shown), isPassing: error.isPassing };
    if (error instanceof FileRefusedError && error.refusal === 'too_large')
      return { problem: `It has more than ${String(maxTextBytes / 1024 / 1024)} MB of text.` };
    throw error;
  }
}

const linesOf = (text: string): string[] => text.replace(/^\uFEFF/, '').split(/\r\n?|\n/);

function headingsOf(extension: string): FileText['headings'] {
  if (markdownNames.has(extension)) return 'markdown';
  return tableNames.has(extension) ? 'first_line' : 'none';
}

/** It stands beside its file. */
const withoutName = (message: string, shown: string): string =>
  message.startsWith(`${shown} `) ? `It${message.slice(shown.length)}` : message;

/** Its first bytes. */
export async function headOf(path: string, { files }: HeadDeps): Promise<Uint8Array> {
  for await (const head of files.readChunks(path, new Uint8Array(headBytes))) return head;
  return new Uint8Array();
}

const headBytes = 4_096;

/** UTF-16 has zeros in its text, and says so with its first bytes. */
export function holdsNoText(head: Uint8Array): boolean {
  const [first, second] = head;
  const isUtf16 = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  return !isUtf16 && head.includes(0);
}
