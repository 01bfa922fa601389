/** What is said of documents: what they are, and why one is not read. */
import type { ReaderEnd } from '../../platform/contained-reader.ts';
import type { DocumentFormat, DocumentKind } from '../../rules/document-kind.ts';
import { ToolFailure } from '../tools/tool.ts';
import {
  maxCells,
  maxFileBytes,
  maxParts,
  maxReadMegabytes,
  maxReadMs,
  maxTextLength,
  maxUnpacking,
  type DocumentProblem,
} from './reading-limits.ts';

const kinds: Readonly<Record<DocumentKind, string>> = {
  pdf: 'a PDF',
  docx: 'a Word document',
  xlsx: 'a workbook',
  pptx: 'a presentation',
  epub: 'an e-book',
  ole: 'a document of an old Office',
  xlsb: 'a binary workbook',
  damaged: 'a damaged archive',
};

export const kindWords = (kind: DocumentKind): string => kinds[kind];

const formats: Readonly<Record<DocumentFormat, readonly [name: string, part: string]>> = {
  pdf: ['PDF', 'page'],
  docx: ['Word document', ''],
  xlsx: ['Workbook', 'sheet'],
  pptx: ['Presentation', 'slide'],
  epub: ['E-book', 'chapter'],
};

/** Not by the machine's own formats, which take longer to load than a start may wait. */
const figure = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ',');

/** "PDF, 40 pages" */
export function aboutWords(format: DocumentFormat, parts: number): string {
  const [name, part] = formats[format];
  return part === '' ? name : `${name}, ${figure(parts)} ${part}${parts === 1 ? '' : 's'}`;
}

const partWord = (format: DocumentFormat): string => formats[format][1];

const split = 'Split it with a command, or ask for the part that is needed.';
const openElsewhere = 'Ask the person to open it in its own program and save it again.';

const problems: Readonly<Record<DocumentProblem, readonly [happened: string, advice: string]>> = {
  protected: ['is protected by a password', 'Ask the person for a copy without one.'],
  broken: ['is damaged, so it cannot be read', openElsewhere],
  empty: [
    'has no text, only pictures or nothing',
    'Use a command that recognises text in pictures, if there is one.',
  ],
  old: [
    'is in an old format that is not read here',
    'Ask for it as docx, xlsx or pptx, or convert it with a command.',
  ],
  unpacks: [`unpacks to more than ${figure(maxUnpacking)} times its size, so it is not read`, openElsewhere],
  cells: [
    `has a sheet with room for more than ${figure(maxCells)} cells, so it is not read`,
    'Ask for the part of it that is needed, or use a command.',
  ],
  nesting: ['is nested too deep to be read', openElsewhere],
  entities: ['declares entities of XML, so it is not read', openElsewhere],
};

export function problemFailure(shown: string, problem: DocumentProblem): ToolFailure {
  const [happened, advice] = problems[problem];
  return new ToolFailure(`${shown} ${happened}.`, { advice });
}

const megabytes = (count: number): string => figure(Math.ceil(count / 1024 / 1024));

export function sizeFailure(shown: string, bytes: number): ToolFailure {
  return new ToolFailure(
    `${shown} has ${megabytes(bytes)} MB; a document may have ${megabytes(maxFileBytes)} MB to be read.`,
    { advice: split },
  );
}

const seconds = String(maxReadMs / 1000);

const ends: Readonly<Record<Exclude<ReaderEnd, 'done'>, string>> = {
  time: `reading takes longer than ${seconds} s`,
  memory: `reading takes more than ${String(maxReadMegabytes)} MB of memory`,
  output: 'its text is too long',
  broke: 'its reader broke off',
};

export const endFailure = (shown: string, end: Exclude<ReaderEnd, 'done'>): ToolFailure =>
  new ToolFailure(`${shown} is not read: ${ends[end]}.`, { advice: split, isPassing: end !== 'output' });

/** Behind "PDF, 10,000 pages". */
export const limitWords = {
  parts: (format: DocumentFormat): string =>
    `only its first ${figure(maxParts)} ${partWord(format)}s are read`,
  text: `only its first ${figure(maxTextLength)} characters are read`,
  ended: (end: Exclude<ReaderEnd, 'done'>, last: string): string => `only up to ${last}, since ${ends[end]}`,
};
