/** Files that the tools of a turn brought out: what a person opens below an answer, and a program is given with it. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

export const resultFileSchema = lazyObject(() => ({
  id: z.string(),
  turnId: z.string(),
  /** The call that brought it. */
  itemId: z.string(),
  tool: z.string(),
  name: z.string(),
  /** In the session's folder, with `/`; null = it lies elsewhere, at `url`. */
  path: z.string().nullable(),
  /** As the tool gave it, unchecked; a `file:` address of what lies in the folder. */
  url: z.string().nullable(),
  bytes: z.number().int().nonnegative().nullable(),
  mime: z.string(),
  at: z.number().int(),
}));
export type ResultFile = z.infer<typeof resultFileSchema>;

export const resultFileMethods = {
  /**
   * As it stands now, in base64. `not_found` = the session has no such file, or it is gone; `invalid_params` = it lies
   * outside of the session's folder, is reached through a link, or is too large.
   */
  'file/read-result': {
    params: lazyObject(() => ({ sessionId: z.string().min(1), fileId: z.string().min(1) })),
    result: lazyObject(() => ({ name: z.string(), mime: z.string(), data: z.string() })),
  },
  /**
   * A picture that an answer names, as it stands now, in base64; its kind is told by its bytes. `not_found` = there is no
   * such file; `invalid_params` = it lies outside of the session's folder, is reached through a link, is too large or is
   * no picture.
   */
  'file/read-picture': {
    params: lazyObject(() => ({ sessionId: z.string().min(1), path: z.string().min(1).max(1_000) })),
    result: lazyObject(() => ({ name: z.string(), mime: z.string(), data: z.string() })),
  },
} as const;
