/** How fast each model reads, from its own replies: tokens per second of evaluated prompt. */
import type { RequestUsage } from '../../protocol/model.ts';

/** Shorter prompts say more about overhead than about speed. */
const fewestTokens = 64;

export interface ReadingRates {
  of(model: string): number | null;
  learn(usage: RequestUsage): void;
}

export function createReadingRates(): ReadingRates {
  const rates = new Map<string, number>();
  return {
    of: (model) => rates.get(model) ?? null,
    learn({ model, promptTokens, cachedTokens, promptMs }) {
      // Without a cached count the whole prompt may have been read, or little of it: that teaches nothing.
      if (promptTokens === null || cachedTokens === null || promptMs === null || promptMs <= 0) return;
      const evaluated = promptTokens - cachedTokens;
      if (evaluated >= fewestTokens) rates.set(model, (evaluated / promptMs) * 1000);
    },
  };
}
