/** How much of a document is read, and how a reader says that it reads no more. */

export const maxFileBytes = 50 * 1024 * 1024;
/** Pages, slides, sheets or chapters. */
export const maxParts = 2_000;
/** Characters of the text of one document. */
export const maxTextLength = 4_000_000;
export const maxReadMs = 20_000;
export const maxReadMegabytes = 512;
/** What a file may unpack to, in times of its own size; a small one may always unpack to a few megabytes. */
export const maxUnpacking = 100;
const alwaysUnpacked = 8 * 1024 * 1024;
const neverUnpacked = 256 * 1024 * 1024;
/** Places for cells of one sheet, from the first to the last one: the empty ones between them take room too. */
export const maxCells = 5_000_000;
/** Elements in each other. */
export const maxDepth = 256;

export const unpackingLimit = (fileBytes: number): number =>
  Math.min(neverUnpacked, Math.max(alwaysUnpacked, fileBytes * maxUnpacking));

export const documentProblems = [
  /** A password is needed. */
  'protected',
  /** What it is made of does not fit together. */
  'broken',
  /** No text in it; mostly pictures of pages. */
  'empty',
  /** A format of before 2007, or a binary workbook. */
  'old',
  'unpacks',
  'cells',
  'nesting',
  /** Its XML declares entities, which are never expanded. */
  'entities',
] as const;
export type DocumentProblem = (typeof documentProblems)[number];

/** Thrown by the readers of formats; the reason is for the log of whoever looks closer. */
export class UnreadableDocument extends Error {
  readonly problem: DocumentProblem;

  constructor(problem: DocumentProblem, options?: ErrorOptions) {
    super(`This document is not read: ${problem}.`, options);
    this.name = 'UnreadableDocument';
    this.problem = problem;
  }
}
