/** What the reader of documents answers, piece by piece. Whoever gets it checks it: it was made from a stranger's file. */
import { z } from 'zod';
import { documentFormats } from '../../rules/document-kind.ts';
import { documentProblems } from './reading-limits.ts';

export interface DocumentPart {
  /** `page 7`; '' = the document has no parts. */
  label: string;
  text: string;
}

export const documentAnswer = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begun'), format: z.enum(documentFormats) }),
  /** So many pages, slides, sheets or chapters. */
  z.object({ kind: z.literal('total'), parts: z.int().nonnegative() }),
  z.object({ kind: z.literal('part'), label: z.string(), text: z.string() }),
  /** `limit`: there is more in it than is read. */
  z.object({ kind: z.literal('end'), limit: z.enum(['parts', 'text']).nullable() }),
  z.object({ kind: z.literal('problem'), problem: z.enum([...documentProblems, 'none']) }),
]);
export type DocumentAnswer = z.infer<typeof documentAnswer>;
