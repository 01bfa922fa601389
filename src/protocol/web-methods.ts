/** Where the web is searched, as the owner's window sets it up. A key goes in, and never comes out. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { maxHostKeyLength } from './limits.ts';

/** Of which a key is kept, in the order in which they are used. */
export const keyedServices = ['brave', 'tavily', 'exa', 'ollama'] as const;
export type KeyedService = (typeof keyedServices)[number];

const serviceSchema = z.enum(['searxng', ...keyedServices]);
export type SearchService = z.infer<typeof serviceSchema>;

const settingsSchema = lazyObject(() => ({
  /** Of the person's own SearXNG; null = they named none. */
  searxng: z.string().nullable(),
  /** Those with a key. */
  keys: z.array(z.enum(keyedServices)),
  /** The one that is asked; null = none is set up, so no model is offered a search. */
  used: serviceSchema.nullable(),
}));
export type WebSettings = z.infer<typeof settingsSchema>;

const trialSchema = lazyObject(() => ({
  service: serviceSchema,
  /** Foreign text. */
  results: z.array(z.object({ title: z.string(), url: z.string() })),
}));
export type SearchTrial = z.infer<typeof trialSchema>;

const settings = { result: settingsSchema };

const changesSchema = z.object({
  searxng: z.string().max(2_048).nullable().optional(),
  key: z
    .object({ service: z.enum(keyedServices), value: z.string().max(maxHostKeyLength).nullable() })
    .optional(),
});
export type WebChanges = z.infer<typeof changesSchema>;

export const webMethods = {
  'web/settings': { params: z.object({}), ...settings },
  /** What is not named stays; null removes it. `invalid_params` = it is no address, or no key. */
  'web/change': {
    params: changesSchema,
    ...settings,
  },
  /** Searches once. Rejects with what happened, in words. */
  'web/try': { params: z.object({ query: z.string().min(1).max(500) }), result: trialSchema },
} as const;
