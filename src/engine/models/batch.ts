/**
 * How large a prompt batch may be. A batch is never aborted, so it is what Stop costs the engine: it should take about a
 * second. Learnt from measured prefills, and used at the next natural load.
 */
import { z } from 'zod';

export const prefillRateSchema = z.object({
  tokensPerSecond: z.number().positive(),
  samples: z.number().int(),
});
export type PrefillRate = z.infer<typeof prefillRateSchema>;

/** Shorter prefills tell more of the way to the runner than of its speed. */
const minWorthTokens = 256;
const minSamples = 3;
/** Of a new measurement, once there are some: a change of speed is learnt within ten. */
const weight = 0.25;
/** How much longer than a second a batch may take before the next smaller one is taken. */
const toleranceSeconds = 1.2;
const steps = [1_024, 512, 256, 128] as const;

/** Ollama's own choice for a chat model. */
export function automaticBatch(contextTokens: number): number {
  if (contextTokens <= 4_096) return 512;
  return contextTokens <= 32_768 ? 1_024 : 2_048;
}

/** The rate with one more prefill in it; the same one when that says too little. */
export function learnRate(
  before: PrefillRate | undefined,
  { evaluatedTokens, ms }: { evaluatedTokens: number; ms: number },
): PrefillRate | undefined {
  if (evaluatedTokens < minWorthTokens || ms <= 0) return before;
  const measured = (evaluatedTokens * 1_000) / ms;
  if (!before) return { tokensPerSecond: measured, samples: 1 };
  const samples = before.samples + 1;
  const share = Math.max(weight, 1 / samples);
  return { tokensPerSecond: before.tokensPerSecond * (1 - share) + measured * share, samples };
}

/** undefined = Ollama's own batch takes no longer than that already, or too little is known: then none is named. */
export function learntBatch(rate: PrefillRate | undefined, contextTokens: number): number | undefined {
  if (!rate || rate.samples < minSamples) return undefined;
  const most = rate.tokensPerSecond * toleranceSeconds;
  if (automaticBatch(contextTokens) <= most) return undefined;
  return steps.find((step) => step <= most) ?? steps.at(-1);
}
