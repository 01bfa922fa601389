/**
 * The exam of a model on this GPU: how fast it reads and writes, how many of its tool calls are right by each way to call,
 * and the largest window that fits. Begun by a person alone; nothing that a model calls in it is run.
 */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const at = z.number().int().nonnegative();
const contextTokens = z.number().int().positive();

/** Of the questions that were asked in one way to call. */
const examScoreSchema = lazyObject(() => ({
  /** The right tool, with arguments that it can read and that name what was asked for. */
  valid: z.number().int().nonnegative(),
  asked: z.number().int().positive(),
  /** Of the valid ones: those in which something had to be mended. */
  mended: z.number().int().nonnegative(),
}));
export type ExamScore = z.infer<typeof examScoreSchema>;

/** What an exam found, kept by the digest of the model's bytes. null = not measured, shown as unknown. */
export const examResultSchema = lazyObject(() => ({
  model: z.string(),
  digest: z.string(),
  /** When it ended. */
  at,
  tookMs: z.number().nonnegative(),
  /** Where; null = no GPU was known of. */
  gpu: z.string().nullable(),
  /** Of the load plan in force. */
  contextTokens,
  readsPerSecond: z.number().positive().nullable(),
  writesPerSecond: z.number().positive().nullable(),
  /** null = it cannot be asked this way. */
  native: examScoreSchema.nullable(),
  constrained: examScoreSchema.nullable(),
  /** By the engine's fit; null = it does not know. */
  largestWindow: contextTokens.nullable(),
  /** How Andiron has it call where its profile leaves that open; absent = not told then. */
  byItself: z.enum(['native', 'constrained']).optional(),
  /** False = the time ended before all questions were asked. */
  complete: z.boolean(),
}));
export type ExamResult = z.infer<typeof examResultSchema>;

/** The exam that runs now, or that came to nothing. */
export const examProgressSchema = lazyObject(() => ({
  model: z.string(),
  /** `waiting`: for the GPU, behind every turn. `reading`, `calling`: what is being measured. */
  phase: z.enum(['waiting', 'loading', 'reading', 'calling', 'failed']),
  asked: z.number().int().nonnegative(),
  total: z.number().int().positive(),
  since: at,
  problem: z.object({ message: z.string(), advice: z.string() }).nullable(),
}));
export type ExamProgress = z.infer<typeof examProgressSchema>;
