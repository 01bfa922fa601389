/** What a language lends a task: words for its files, and sentences in which people ask. */

/** Each is asked for in every language; what it needs stands in braces in its sentences. */
export const frameIds = [
  'field',
  'day',
  'folder',
  'contains',
  'matches',
  'ending',
  'script',
  'remove',
  'exact',
  'lines',
  'replace',
  'append',
  'set',
  'sum',
  'highest',
  'rows',
  'copyField',
  'removeFound',
  'saveOutput',
  'addTwo',
  'backup',
  'clean',
  'plus',
  'weeks',
  'word',
  'howTo',
  'send',
] as const;
export type FrameId = (typeof frameIds)[number];

/**
 * `{file}` is a value, `{"text"}` the same in the language's quotes. A sentence without a full stop ends with a value that
 * nothing may follow.
 */
export type Frames = readonly [order: string, question: string, terse: string, ...others: string[]];

export interface Language {
  code: string;
  /** Things, as they are written in lists and file names. */
  nouns: readonly string[];
  /** Kinds of numbers that letters hold, all of one gender. */
  labels: readonly string[];
  days: readonly { name: string; on: string }[];
  /** Head of a price list: thing and price. */
  columns: readonly [string, string];
  quotes: readonly [string, string];
  greetings: readonly string[];
  thanks: readonly string[];
  /** What people write around what they want. */
  rambles: readonly string[];
  /** An answer owns up that something is missing or cannot be done. */
  admits: RegExp;
  /** The shortest honest answer to what cannot be done. */
  cannot: string;
  frames: Readonly<Record<FrameId, Frames>>;
}
