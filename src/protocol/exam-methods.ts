/** What a window may ask about exams; how one goes is told as `exam/changed` on the topic `host`. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const model = z.string().min(1);

export const examMethods = {
  /** Before the click: how long it takes. */
  'exam/price': {
    params: lazyObject(() => ({ model })),
    result: lazyObject(() => ({
      questions: z.number().int().positive(),
      /** As long as the last time; null = it was never made, so only the limit is known. */
      expectedMs: z.number().nonnegative().nullable(),
      /** It ends by then, with what was asked so far. Waiting and loading do not count. */
      limitMs: z.number().positive(),
    })),
  },
  /** Answers at once; how it goes is told as `exam/changed`. `busy` while one runs. */
  'exam/begin': {
    params: lazyObject(() => ({ model, profileId: z.string().min(1) })),
    result: lazyObject(() => ({})),
  },
  /** At once, and the model stays loaded. Also takes away what is said of one that failed. */
  'exam/cancel': { params: lazyObject(() => ({})), result: lazyObject(() => ({})) },
} as const;
