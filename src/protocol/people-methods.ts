/** The people who write to this Andiron, as its owner sees them (X1-X3). */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { levels } from './principal.ts';

const userId = z.string().min(1);
const maxName = 100;

const personSchema = lazyObject(() => ({
  id: userId,
  /** '' = nobody has given one. */
  name: z.string(),
  level: z.enum(levels),
  /** Tokens in 30 days; null = without a limit. */
  budget: z.number().int().nonnegative().nullable(),
  used: z.number().int().nonnegative(),
  /** Unix milliseconds, from which on nothing is used. */
  resetAt: z.number(),
  /** Unix milliseconds; null = they are not. */
  blockedAt: z.number().nullable(),
  createdAt: z.number(),
  /** Where they write from. */
  accounts: z.array(z.object({ platform: z.string(), platformUserId: z.string(), name: z.string() })),
}));
export type Person = z.infer<typeof personSchema>;

export const budgetRulesSchema = lazyObject(() => ({
  /** Tokens in 30 days of whoever writes for the first time; null = without a limit. */
  guestTokens: z.number().int().nonnegative().max(1_000_000_000_000).nullable(),
  /** What the model had read already counts for nobody. */
  isCacheFree: z.boolean(),
}));

export type PersonChanges = Omit<z.input<(typeof peopleMethods)['people/update']['params']>, 'userId'>;

export const peopleMethods = {
  'people/list': {
    params: z.object({}),
    result: lazyObject(() => ({ people: z.array(personSchema) })),
  },
  /** What is absent stays. Nobody else becomes the owner, and the owner stays one, without a limit. */
  'people/update': {
    params: lazyObject(() => ({
      userId,
      name: z.string().trim().max(maxName).optional(),
      level: z.enum(levels).exclude(['owner']).optional(),
      budget: z.number().int().nonnegative().nullable().optional(),
      isBlocked: z.boolean().optional(),
    })),
    result: lazyObject(() => ({ person: personSchema })),
  },
  /** Nothing is used from now on. */
  'people/reset-budget': {
    params: lazyObject(() => ({ userId })),
    result: lazyObject(() => ({ person: personSchema })),
  },
  /** The account is that person's from now on. */
  'people/link': {
    params: lazyObject(() => ({ platform: z.string().min(1), platformUserId: z.string().min(1), userId })),
    result: z.object({}),
  },
  'people/budget-rules': {
    params: z.object({}),
    result: lazyObject(() => ({ rules: budgetRulesSchema })),
  },
  /** For what is asked from now on, and for people who come from now on. */
  'people/set-budget-rules': {
    params: lazyObject(() => ({ rules: budgetRulesSchema })),
    result: z.object({}),
  },
} as const;
