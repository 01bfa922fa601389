/** A change of a text, as every window shows it. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

export const diffDisplaySchema = lazyObject(() => ({
  kind: z.literal('diff'),
  path: z.string(),
  /** Nothing stood there before; absent = something did, or it is not known. */
  created: z.literal(true).optional(),
  /** Unified hunks; `lines` begin with ' ', '+' or '-'. */
  hunks: z.array(
    z.object({
      oldStart: z.number().int(),
      newStart: z.number().int(),
      lines: z.array(z.string()),
      /** Characters of very long lines that the change leaves as they are, and that `lines` leaves out. */
      same: z
        .array(z.object({ line: z.number().int(), at: z.number().int(), count: z.number().int() }))
        .optional(),
    }),
  ),
  added: z.number().int(),
  removed: z.number().int(),
}));
