/** How fast each model reads, learnt from its own replies. Shared by all sessions: the GPU is the same. */
import type { RequestUsage } from '../../protocol/model.ts';
import { createReadingSpeed, type ReadingSpeed } from '../prompt/prefill/reading-speed.ts';

export type ReadingRates = ReturnType<typeof createReadingRates>;

/** @param onLearn of each prefill that says something: tokens and milliseconds. */
export function createReadingRates(
  onLearn: (model: string, evaluatedTokens: number, ms: number) => void = () => undefined,
) {
  const speeds = new Map<string, ReadingSpeed>();
  const of = (model: string): ReadingSpeed => {
    const known = speeds.get(model) ?? createReadingSpeed();
    speeds.set(model, known);
    return known;
  };
  return {
    of,
    learn({ model, promptTokens, cachedTokens, promptMs, reading }: RequestUsage): void {
      // Without a cached count the whole prompt may have been read, or little of it: that teaches nothing.
      const cached = cachedTokens ?? (reading?.settledBy === 'runner' ? reading.cachedTokens : null);
      if (promptTokens === null || cached === null || promptMs === null) return;
      const tokens = promptTokens - cached;
      if (tokens <= 0 || promptMs <= 0) return;
      of(model).learn({ tokens, depth: cached }, promptMs);
      onLearn(model, tokens, promptMs);
    },
  };
}
