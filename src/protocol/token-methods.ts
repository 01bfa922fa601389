/** Tokens of programs: made and revoked by the owner, and said by a program on a connection of its own. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { levels, ownerId } from './principal.ts';

const apiTokenSchema = lazyObject(() => ({
  id: z.string(),
  /** For whom its program speaks. */
  userId: z.string(),
  name: z.string(),
  level: z.enum(levels),
  /** Whose tools may be used; null = those of all. */
  modules: z.array(z.string()).nullable(),
  createdAt: z.number(),
  /** Unix milliseconds; null = never. */
  lastUsedAt: z.number().nullable(),
  /** Unix milliseconds; null = it is not. */
  revokedAt: z.number().nullable(),
}));
export type ApiTokenInfo = z.infer<typeof apiTokenSchema>;

export const tokenMethods = {
  /** Its text is in this answer and nowhere else. A level above that of its person is refused. */
  'token/create': {
    params: lazyObject(() => ({
      name: z.string().trim().min(1).max(100),
      userId: z.string().min(1).default(ownerId),
      level: z.enum(levels).default('guest'),
      modules: z.array(z.string().min(1).max(40)).max(40).nullable().default(null),
    })),
    result: lazyObject(() => ({ token: apiTokenSchema, text: z.string() })),
  },
  'token/list': { params: z.object({}), result: lazyObject(() => ({ tokens: z.array(apiTokenSchema) })) },
  /** Its connections end, and so do the turns that its programs asked for. */
  'token/revoke': { params: lazyObject(() => ({ tokenId: z.string().min(1) })), result: z.object({}) },
  /** As the first request of a connection: it is no longer the owner's, but the token's. Later it is refused. */
  'host/sign-in': { params: lazyObject(() => ({ token: z.string().max(200) })), result: z.object({}) },
} as const;
