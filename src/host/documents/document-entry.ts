/** Where documents are read: it gets the bytes of one file, and answers part by part. Nothing in it is run. */
import { answerContained } from '../../platform/contained-entry.ts';
import { documentKind, type DocumentFormat } from '../../rules/document-kind.ts';
import type { DocumentAnswer, DocumentPart } from './document-answers.ts';
import { maxParts, maxTextLength, UnreadableDocument } from './reading-limits.ts';

type ReadParts = Iterable<DocumentPart | { total: number }> | AsyncIterable<DocumentPart | { total: number }>;

/** Loaded for the one document that is read. */
const readers: Readonly<Record<DocumentFormat, () => Promise<(bytes: Uint8Array) => ReadParts>>> = {
  pdf: async () => (await import('./formats/pdf-text.ts')).readPdf,
  docx: async () => (await import('./formats/word-text.ts')).readWord,
  xlsx: async () => (await import('./formats/sheet-text.ts')).readWorkbook,
  pptx: async () => (await import('./formats/slide-text.ts')).readSlides,
  epub: async () => (await import('./formats/book-text.ts')).readBook,
};

async function* answers(bytes: Uint8Array): AsyncIterable<DocumentAnswer> {
  const format = documentKind(bytes);
  if (format === null) {
    yield { kind: 'problem', problem: 'none' };
    return;
  }
  try {
    if (format === 'ole') throw new UnreadableDocument(isLocked(bytes) ? 'protected' : 'old');
    if (format === 'xlsb') throw new UnreadableDocument('old');
    if (format === 'damaged') throw new UnreadableDocument('broken');
    yield { kind: 'begun', format };
    yield* partsOf((await readers[format]())(bytes));
  } catch (error) {
    const problem = error instanceof UnreadableDocument ? error.problem : 'broken';
    yield { kind: 'problem', problem };
  }
}

async function* partsOf(read: ReadParts): AsyncIterable<DocumentAnswer> {
  let parts = 0;
  let left = maxTextLength;
  let hasText = false;
  for await (const piece of read) {
    if ('total' in piece) {
      yield { kind: 'total', parts: piece.total };
      continue;
    }
    if (parts === maxParts) {
      yield { kind: 'end', limit: 'parts' };
      return;
    }
    parts += 1;
    const text = tidy(piece.text);
    hasText ||= text.trim() !== '';
    yield {
      kind: 'part',
      label: tidy(piece.label).replaceAll('\n', ' ').slice(0, maxLabel),
      text: text.slice(0, left),
    };
    left -= text.length;
    if (left < 0) {
      yield { kind: 'end', limit: 'text' };
      return;
    }
  }
  if (!hasText) throw new UnreadableDocument('empty');
  yield { kind: 'end', limit: null };
}

const maxLabel = 120;
/** A result holds a line of some thousand characters; beyond it nobody could read on. */
const maxLine = 2_000;

/** Lines that a result can hold, without what no text has. */
function tidy(text: string): string {
  return text
    .replaceAll(/\r\n?|[\u2028\u2029\v\f]/g, '\n')
    .replaceAll(/[\p{Cc}\ufffe\uffff]/gu, (sign) => (sign === '\n' || sign === '\t' ? sign : ''))
    .toWellFormed()
    .split('\n')
    .flatMap((line) => wrap(line.trimEnd()))
    .join('\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .replace(/^\n+|\n+$/g, '');
}

function wrap(line: string): string[] {
  const lines: string[] = [];
  let rest = line;
  while (rest.length > maxLine) {
    const space = rest.lastIndexOf(' ', maxLine);
    const isPair = /[\uD800-\uDBFF]/.test(rest.charAt(maxLine - 1));
    const end = space > maxLine / 2 ? space : maxLine - (isPair ? 1 : 0);
    lines.push(rest.slice(0, end));
    rest = rest.slice(end).trimStart();
  }
  return [...lines, rest];
}

/** What Office writes under a password is a file of the old kind with a part of this name. */
const isLocked = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  );

await answerContained(answers);
