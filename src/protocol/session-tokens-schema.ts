import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const tokens = z.number().int().nonnegative().nullable();

export const sessionTokensSchema = lazyObject(() => ({
  /** Sums over every answered request of the turns, side requests and subagents included. */
  promptTokens: tokens,
  outputTokens: tokens,
  /** Answered requests of which at least one figure is not in the sums. */
  uncounted: z.number().int().nonnegative(),
  /** Of the newest request of the conversation itself. */
  lastPromptTokens: tokens,
  lastOutputTokens: tokens,
  /** What the model can hold, as it was loaded for the newest request. */
  contextTokens: tokens,
}));
export type SessionTokens = z.infer<typeof sessionTokensSchema>;
