/** Files on their way to the host that are too large for one frame. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { maxPieceBytes } from './limits.ts';

const none = z.object({});
const uploadId = z.string().min(1).max(60);

export const uploadMethods = {
  /** The upload belongs to its connection and goes with it. `busy` while too many are on their way. */
  'upload/begin': { params: none, result: lazyObject(() => ({ uploadId })) },
  /** Pieces come in order; `at` = bytes that came before. A piece that is refused ends its upload. */
  'upload/add': {
    params: lazyObject(() => ({
      uploadId,
      at: z.number().int().nonnegative(),
      /** Base64. */
      data: z
        .string()
        .min(1)
        .max(Math.ceil(maxPieceBytes / 3) * 4),
    })),
    result: none,
  },
  /** Nothing happens where it is gone. */
  'upload/cancel': { params: lazyObject(() => ({ uploadId })), result: none },
} as const;
