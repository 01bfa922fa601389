/** Documents as text: told by their bytes, read outside of this process, and kept for reading on. */
import {
  createContainedReader,
  type ContainedReaderDeps,
  type ReaderLimits,
} from '../../platform/contained-reader.ts';
import type { FileStat, ReadableFiles } from '../../platform/files.ts';
import { documentKind, headBytes, mayBeDocument } from '../../rules/document-kind.ts';
import type { DocumentAccess, DocumentText } from '../tools/document-access.ts';
import { ToolFailure } from '../tools/tool.ts';
import { fewAtATime } from './few-at-a-time.ts';
import { createGathering } from './gather-answers.ts';
import { createKeptTexts } from './kept-texts.ts';
import { kindWords, sizeFailure } from './document-words.ts';
import { maxFileBytes, maxReadMegabytes, maxReadMs, maxTextLength } from './reading-limits.ts';
import { createDocumentWriter } from './write-document.ts';

export interface DocumentsDeps extends ContainedReaderDeps {
  files: Pick<ReadableFiles, 'readBytes' | 'readChunks' | 'lstat'>;
  /** The built modules; those of the source unless given. */
  documentReader?: URL | undefined;
  documentWriter?: URL | undefined;
}

const limits: ReaderLimits = {
  ms: maxReadMs,
  heapMegabytes: 384,
  memoryBytes: maxReadMegabytes * 1024 ** 2,
  // Signs and line ends take more room in JSON.
  outputLimit: maxTextLength * 2,
};

/** At a time. */
const maxReaders = 2;

export type Documents = DocumentAccess & {
  /** For a message, in place of its bytes: the text, or why there is none. */
  textOf(path: string, name: string): Promise<string>;
};

type Found = { text: DocumentText } | { failure: ToolFailure };

export function createDocuments(deps: DocumentsDeps): Documents {
  const {
    files,
    documentReader = new URL('document-entry.ts', import.meta.url),
    documentWriter = new URL('document-writer-entry.ts', import.meta.url),
  } = deps;
  const inTurn = fewAtATime(maxReaders);
  const readContained = createContainedReader(deps, documentReader, limits);
  const kept = createKeptTexts<Found>((found) => ('text' in found ? lengthOf(found.text) : 0));

  async function read(
    { path, shown, stat }: DocumentPlace,
    signal: AbortSignal,
  ): Promise<DocumentText | null> {
    const state = stateOf(stat);
    const known = state === null ? undefined : kept.find(path, state);
    if (known) return textIn(known);
    if (!mayBeDocument(await headOf(files, path))) return null;
    if (stat && stat.size > maxFileBytes) throw sizeFailure(shown, stat.size);
    const bytes = await files.readBytes(path, maxFileBytes);
    // A plain archive is told here: no reader is started for it.
    if (documentKind(bytes) === null) return null;
    const gathering = createGathering(shown);
    const end = await inTurn(() => readContained(bytes, (json) => gathering.add(json), signal), signal);
    const found = gathering.result(end);
    if ('failure' in found) {
      if (found.isSettled && state !== null) kept.keep(path, state, found);
      throw found.failure;
    }
    if (found.text === null) return null;
    if (state !== null) kept.keep(path, state, { text: found.text });
    return found.text;
  }

  return {
    read,
    async kindAt(path) {
      if (!mayBeDocument(await headOf(files, path))) return null;
      const kind = documentKind(await files.readBytes(path, maxFileBytes));
      return kind === null ? null : kindWords(kind);
    },
    async textOf(path, name) {
      const place = { path, shown: name, stat: await files.lstat(path) };
      try {
        const text = await read(place, new AbortController().signal);
        if (text === null) return '';
        const limit = text.limit === null ? '' : `; ${text.limit}`;
        return `(${text.about}${limit})\n${text.lines.join('\n')}`;
      } catch (error) {
        if (error instanceof ToolFailure) return `(${error.message})`;
        throw error;
      }
    },
    write: createDocumentWriter(deps, documentWriter),
  };
}

type DocumentPlace = Parameters<DocumentAccess['read']>[0];

function textIn(found: Found): DocumentText {
  if ('failure' in found) throw found.failure;
  return found.text;
}

const lengthOf = ({ lines }: DocumentText): number => lines.reduce((sum, line) => sum + line.length + 1, 0);

/** Another one as soon as anything of the file changes; null = it cannot be told. */
const stateOf = (stat: FileStat | null): string | null =>
  stat && [stat.identity, stat.size, stat.modifiedMs, stat.changedMs].join(' ');

async function headOf(files: DocumentsDeps['files'], path: string): Promise<Uint8Array> {
  for await (const chunk of files.readChunks(path, new Uint8Array(headBytes))) return chunk;
  return new Uint8Array();
}
