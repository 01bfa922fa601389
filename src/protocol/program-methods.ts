/** What programs with a token ask for: their own conversations, and nothing of the other ones of their person. */
import { z } from 'zod';
import { agentResponseSchema } from './inbox-methods.ts';
import { lazyObject } from './lazy-object.ts';
import { sessionStatusSchema } from './model.ts';
import { usageSpan, usageSumsSchema } from './usage-methods.ts';

/** A conversation as its program sees it: without the folder, which is a path of this machine. */
const programSessionSchema = lazyObject(() => ({
  id: z.string(),
  title: z.string(),
  profileId: z.string(),
  /** null = the profile decides. */
  model: z.string().nullable(),
  status: sessionStatusSchema,
  /** As the program named it in a message; made up where it did not. */
  thread: z.string(),
  createdAt: z.number().int(),
  updatedAt: z.number().int(),
}));
export type ProgramSession = z.infer<typeof programSessionSchema>;

const sessionId = z.string().min(1).max(200);

/** None of them is for anybody without a token; `not_found` also says that something belongs to another one. */
export const programMethods = {
  /** What a program may talk to. */
  'program/profiles': {
    params: z.object({}),
    result: lazyObject(() => ({ profiles: z.array(z.object({ id: z.string(), name: z.string() })) })),
  },
  /** A conversation of its own, in a new and empty folder. `not_found` = no such profile. */
  'program/open-session': {
    params: lazyObject(() => ({ profileId: z.string().min(1).max(200) })),
    result: lazyObject(() => ({ sessionId: z.string() })),
  },
  /** The latest first; the next page begins after the last one of this page. */
  'program/sessions': {
    params: lazyObject(() => ({ limit: z.number().int().min(1).max(500), after: sessionId.optional() })),
    result: lazyObject(() => ({ sessions: z.array(programSessionSchema), hasMore: z.boolean() })),
  },
  'program/session': {
    params: lazyObject(() => ({ sessionId })),
    result: lazyObject(() => ({ session: programSessionSchema })),
  },
  /** Where nothing runs and the newest message is one of these texts, the latest first. At most 20. */
  'program/find-sessions': {
    params: lazyObject(() => ({ profileId: z.string(), newestTexts: z.array(z.string()).max(2) })),
    result: lazyObject(() => ({ sessionIds: z.array(z.string()) })),
  },
  /** Where a turn is. */
  'program/find-turn': {
    params: lazyObject(() => ({ turnId: z.string().min(1).max(200) })),
    result: lazyObject(() => ({
      sessionId: z.string(),
      profileId: z.string(),
      /** No other turn came after it. */
      isNewest: z.boolean(),
    })),
  },
  /** The inbox: resolves with the answer, or with why there is none. Cancelling the call stops the turn. */
  'program/receive': {
    params: lazyObject(() => ({
      text: z.string().trim().min(1).max(1_000_000),
      /** One of its conversations; absent = the one of `thread`, which begins with its first message. */
      sessionId: sessionId.optional(),
      thread: z.string().max(200).optional(),
    })),
    result: agentResponseSchema,
  },
  /** What its conversations took, as far as they are kept. */
  'program/usage': {
    params: lazyObject(() => usageSpan),
    result: lazyObject(() => ({ totals: usageSumsSchema })),
  },
  /** A file that tools brought out in one of its conversations, as `file/read-result`. */
  'program/read-file': {
    params: lazyObject(() => ({ fileId: z.string().min(1).max(200) })),
    result: lazyObject(() => ({ name: z.string(), mime: z.string(), data: z.string() })),
  },
} as const;
