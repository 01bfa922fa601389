/** What a model can do, by what it did: evidence is counted for each ability, shown to a person and can be forgotten. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

export const abilities = [
  /** It can say what a turn is about to do, before it does it. */
  'opens',
  /** It makes the engine's own tool calls. */
  'native',
  /** It writes calls as text that can be read. */
  'text',
  /** It calls under a grammar. */
  'grammar',
  /** Its engine takes grammars with patterns. */
  'pattern',
  /** Its engine takes grammars with lists of values. */
  'values',
  /** It answers once the result is there. */
  'settles',
  /** It tells what was asked out of a result, and nothing beside it, behind its own words for what was asked. */
  'picks',
  /** It changes nothing where nobody asked for a change. */
  'restraint',
  /** Its plans are followed by work. */
  'planning',
  /** It follows notes, and does not copy them. */
  'notes',
] as const;

const abilitySchema = z.enum(abilities);
export type Ability = z.infer<typeof abilitySchema>;

/** One ability of one model. */
const abilityRowSchema = lazyObject(() => ({
  ability: abilitySchema,
  /** Weights of the evidence: each observation counts 1 when it is new and half as much after 30 days. */
  good: z.number().nonnegative(),
  bad: z.number().nonnegative(),
  /** 0 to 1; what Andiron expects without evidence is part of it. */
  score: z.number().min(0).max(1),
  /** Andiron relies on it. */
  holds: z.boolean(),
  /** When it was last observed; null = never. */
  at: z.number().int().nonnegative().nullable(),
}));
export type AbilityRow = z.infer<typeof abilityRowSchema>;

const model = z.string().min(1);

/** A change of either is told as `abilities/changed` on the topic `host`. */
export const abilityMethods = {
  /** One row for each ability, in their order. `model_missing` when it is not installed. */
  'model/abilities': {
    params: lazyObject(() => ({ model })),
    result: lazyObject(() => ({ abilities: z.array(abilityRowSchema) })),
  },
  /** The model starts as one that was never asked anything. */
  'model/forget-abilities': { params: lazyObject(() => ({ model })), result: lazyObject(() => ({})) },
} as const;
