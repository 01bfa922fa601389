/** A change of a text, as every window shows it. */
import { z } from 'zod';

export const diffDisplaySchema = z.object({
  kind: z.literal('diff'),
  path: z.string(),
  /** Unified hunks; `lines` begin with ' ', '+' or '-'. */
  hunks: z.array(
    z.object({ oldStart: z.number().int(), newStart: z.number().int(), lines: z.array(z.string()) }),
  ),
  added: z.number().int(),
  removed: z.number().int(),
});
