/** Text that the person did not write: where it came from, and what of it a question quotes. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const textSourceKindSchema = z.enum([
  'file',
  'attachment',
  /** The output of a command. */
  'command',
  /** The output of a command that reached this host. */
  'host',
  /** A page of the web, of this host. */
  'page',
  /** Of the web. */
  'web',
  'search',
  /** Of files. */
  'names',
  'subagent',
  /** Of whatever else a tool brought in. */
  'tool',
  /** What a server of tools wrote, of this name. */
  'server',
  /** Passages of files, of the collection of this name. */
  'collection',
  /** Of a skill that the person did not write. */
  'skill',
  'memory',
  'import',
  /** Of a session whose older texts were summarised. */
  'summary',
]);

const textSourceSchema = z.object({
  kind: textSourceKindSchema,
  /** Of the file, the command or the host; '' = it has none. With nothing hidden in it. */
  name: z.string(),
});
export type TextSource = z.infer<typeof textSourceSchema>;

/** A sentence in parts, as plain text with nothing hidden in it. */
export const foreignQuoteSchema = lazyObject(() => ({
  source: textSourceSchema,
  before: z.string(),
  /** What the call and the text share. */
  piece: z.string(),
  after: z.string(),
}));
export type ForeignQuote = z.infer<typeof foreignQuoteSchema>;

/** Foreign text: a page or a passage that a tool found or read, by the number that cites it in its turn. */
export const sourceSchema = z.object({
  number: z.number().int(),
  /** Of a passage where it stands. */
  title: z.string(),
  /** '' = a passage. */
  url: z.string(),
  /** Its text, as the model read it; absent = a page. */
  passage: z.string().optional(),
});
export type Source = z.infer<typeof sourceSchema>;
