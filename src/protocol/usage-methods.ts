/** How many tokens the models have used, for what, and what that cost where a host names its prices. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

export const requestPurposes = [
  /** An answer or a step of a conversation. */
  'main',
  'plan',
  'opening',
  'correction',
  'compaction',
  'memory',
  /** What a session is called. */
  'title',
  'subagent',
  'exam',
  'meeting',
  /** A prompt that was read ahead of its message. */
  'warm',
  /** Facts and messages, so that one finds the other by meaning. */
  'vectors',
] as const;
export type RequestPurpose = (typeof requestPurposes)[number];

const tokens = z.number().int().nonnegative().nullable();

/** One request of which a model has seen something. Figures are null where nobody counted. */
const usageEntrySchema = z.object({
  id: z.string(),
  userId: z.string(),
  /** Kept when the session is deleted; null = it belongs to none. */
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
  purpose: z.enum(requestPurposes),
  /** The one that answered, as `ModelInfo.name`. */
  model: z.string(),
  /** `stopped`, `failed`: it ended before the model said how much it took. */
  ended: z.enum(['answered', 'stopped', 'failed']),
  /** The whole prompt, cached tokens included. */
  inputTokens: tokens,
  cachedTokens: tokens,
  outputTokens: tokens,
  /** null = the host names no price, or not all was counted. */
  cost: z
    .object({
      /** Billionths of the currency, so that sums are exact. */
      nano: z.number().int().nonnegative(),
      currency: z.string(),
    })
    .nullable(),
  at: z.number().int(),
});
export type UsageEntry = z.infer<typeof usageEntrySchema>;
export type Cost = NonNullable<UsageEntry['cost']>;

/** Sums of what was counted; null = nothing was. */
export const tokenSumsSchema = z.object({
  inputTokens: tokens,
  cachedTokens: tokens,
  outputTokens: tokens,
});
export type TokenSums = z.infer<typeof tokenSumsSchema>;

const sums = {
  requests: z.number().int(),
  /** Sums of what was counted; null = nothing was. */
  inputTokens: tokens,
  cachedTokens: tokens,
  /** Input that no cache had, of the requests whose input and cached tokens are both known. */
  readTokens: tokens,
  outputTokens: tokens,
  /** Requests of which at least one figure is in no sum. */
  uncounted: z.number().int(),
  /** One for each currency; empty = no cost is known. */
  costs: z.array(z.object({ nano: z.number().int(), currency: z.string() })),
};
export const usageSumsSchema = z.object(sums);
export type UsageSums = z.infer<typeof usageSumsSchema>;

/** `key` null = the requests of no session. Days are those of the host's own clock, `2026-01-31`. */
const usageGroupSchema = z.object({ key: z.string().nullable(), ...sums });
export type UsageGroup = z.infer<typeof usageGroupSchema>;

export const usageGroupings = ['day', 'model', 'session', 'user', 'purpose'] as const;
export type UsageGrouping = (typeof usageGroupings)[number];

/** Milliseconds since 1970, `to` excluded; absent = without that bound. */
export const usageSpan = { from: z.number().int().optional(), to: z.number().int().optional() };
export interface UsageSpan {
  from?: number | undefined;
  to?: number | undefined;
}

export const usageMethods = {
  /** Days come in their order, everything else with the most input first. Without `groupBy` there are totals alone. */
  'usage/query': {
    params: lazyObject(() => ({ ...usageSpan, groupBy: z.enum(usageGroupings).optional() })),
    result: lazyObject(() => ({ totals: usageSumsSchema, groups: z.array(usageGroupSchema) })),
  },
  /** The log as CSV, in pieces: the next begins with `after` as `next` said, until that is null. */
  'usage/export': {
    params: lazyObject(() => ({ ...usageSpan, after: z.number().int().nonnegative().optional() })),
    result: lazyObject(() => ({ csv: z.string(), next: z.number().int().nullable() })),
  },
} as const;
