/** What replies taught about each model, kept by the digest of its bytes (design 4, W11). */
import { z } from 'zod';
import type { ModelKnowledge } from '../loop/deps.ts';
import type { Store } from '../store/store.ts';

const callsSchema = z.enum(['native', 'constrained']);
const ratioSchema = z.object({ ratio: z.number(), seen: z.number().int() });

/** No model is further from four characters a token than this (W11). */
const [leastRatio, mostRatio] = [0.5, 2.5];
/** The first replies teach more than later ones. */
const [earlyWeight, lateWeight] = [0.35, 0.15];
const early = 5;
/** A shorter prompt is mostly scaffolding. */
const fewestTokens = 200;

export function createModelKnowledge(store: Store): ModelKnowledge {
  const ratioOf = (digest: string) =>
    store.readModelFact(digest, 'tokens', ratioSchema) ?? { ratio: 1, seen: 0 };
  return {
    calls: ({ digest }) => store.readModelFact(digest, 'calls', callsSchema),
    learnCalls: ({ digest }, mode) => store.writeModelFact(digest, 'calls', mode),
    tokenRatio: ({ digest }) => ratioOf(digest).ratio,
    learnTokens({ digest }, estimated, counted) {
      if (estimated < fewestTokens) return;
      const { ratio, seen } = ratioOf(digest);
      const weight = seen === 0 ? 1 : seen < early ? earlyWeight : lateWeight;
      const now = Math.min(mostRatio, Math.max(leastRatio, counted / estimated));
      store.writeModelFact(digest, 'tokens', { ratio: ratio + (now - ratio) * weight, seen: seen + 1 });
    },
  };
}
