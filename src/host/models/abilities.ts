/** What replies taught about each model, kept by the digest of its bytes (W11). */
import { z } from 'zod';
import type { CallingFacts, ModelKnowledge } from '../loop/deps.ts';
import type { FactStore } from '../store/fact-store.ts';

/** What was stored of grammars before is dropped: one refusal had counted for ever. */
const callingSchema = z.object({
  mode: z.enum(['native', 'constrained']),
  provenNative: z.boolean(),
  grammarSteps: z.number().int(),
});
const unknownCalling: CallingFacts = {
  mode: 'native',
  provenNative: false,
  grammarSteps: 0,
};
const leaksSchema = z.object({ user: z.boolean(), tool: z.boolean() });
const ratioSchema = z.object({ ratio: z.number(), seen: z.number().int() });

/** No model is further from four characters a token than this (W11). */
const [minRatio, maxRatio] = [0.5, 2.5];
/** The first replies teach more than later ones. */
const [earlyWeight, lateWeight] = [0.35, 0.15];
const early = 5;
/** A shorter prompt is mostly scaffolding. */
const minTokens = 200;

export function createModelAbilities(store: FactStore): ModelKnowledge {
  const ratioOf = (digest: string) =>
    store.readModelFact(digest, 'tokens', ratioSchema) ?? { ratio: 1, seen: 0 };
  const leaksOf = (digest: string) =>
    store.readModelFact(digest, 'leaks', leaksSchema) ?? { user: false, tool: false };
  return {
    leaksThinking: ({ digest }, place) => leaksOf(digest)[place],
    learnLeak: ({ digest }, place, leaks) =>
      store.writeModelFact(digest, 'leaks', { ...leaksOf(digest), [place]: leaks }),
    calling: ({ digest }) => store.readModelFact(digest, 'calling', callingSchema) ?? unknownCalling,
    learnCalling: ({ digest }, facts) => store.writeModelFact(digest, 'calling', facts),
    tokenRatio: ({ digest }) => ratioOf(digest).ratio,
    learnTokens({ digest }, estimated, counted) {
      if (estimated < minTokens) return;
      const { ratio, seen } = ratioOf(digest);
      const weight = seen === 0 ? 1 : seen < early ? earlyWeight : lateWeight;
      const now = Math.min(maxRatio, Math.max(minRatio, counted / estimated));
      store.writeModelFact(digest, 'tokens', { ratio: ratio + (now - ratio) * weight, seen: seen + 1 });
    },
  };
}
