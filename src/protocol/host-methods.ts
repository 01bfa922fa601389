/** What the agent host answers. name → {params, result}; handlers are a mapped type over this (design 3). */
import { z } from 'zod';
import {
  approvalDecisionSchema,
  itemSchema,
  profileChangesSchema,
  profileProblemSchema,
  profileSchema,
  sessionSnapshotSchema,
  sessionSummarySchema,
} from './model.ts';

const sessionId = z.string().min(1);
const none = z.object({});

export const hostMethods = {
  /** Subscribes this connection to the topic `host`. */
  'host/subscribe': {
    params: none,
    result: z.object({
      seq: z.number().int(),
      epoch: z.string(),
      sessions: z.array(sessionSummarySchema),
      profiles: z.array(profileSchema),
      problems: z.array(profileProblemSchema),
      defaults: z.object({ profileId: z.string(), workspace: z.string() }),
    }),
  },
  'session/create': {
    params: z.object({ workspace: z.string().optional(), profileId: z.string().optional() }),
    result: z.object({ session: sessionSummarySchema }),
  },
  /** Subscribes this connection to `session:<id>`: snapshot + seq (design 3). */
  'session/subscribe': {
    params: z.object({ sessionId }),
    result: z.object({ seq: z.number().int(), epoch: z.string(), snapshot: sessionSnapshotSchema }),
  },
  'session/unsubscribe': { params: z.object({ sessionId }), result: none },
  'session/update': {
    params: z.object({
      sessionId,
      title: z.string().trim().min(1).max(200).optional(),
      pinned: z.boolean().optional(),
      model: z.string().nullable().optional(),
      workspace: z.string().optional(),
    }),
    result: z.object({ session: sessionSummarySchema }),
  },
  'session/delete': { params: z.object({ sessionId }), result: none },
  /** Takes effect at the next iteration (F10). */
  'session/set-profile': {
    params: z.object({ sessionId, profileId: z.string() }),
    result: z.object({ session: sessionSummarySchema }),
  },
  'item/page': {
    params: z.object({ sessionId, beforeIndex: z.number().int(), limit: z.number().int().min(1).max(500) }),
    result: z.object({ items: z.array(itemSchema), hasOlder: z.boolean() }),
  },
  /** The reply is only an id; all news travels as events. Busy: queued, or refused with `busy` when `queue` is false. */
  'turn/start': {
    params: z.object({ sessionId, text: z.string().trim().min(1), queue: z.boolean().default(true) }),
    result: z.object({ turnId: z.string(), queued: z.boolean() }),
  },
  /** Answers at once; the turn then ends with status `stopped` (design 6). A queued turn is withdrawn. */
  'turn/stop': { params: z.object({ sessionId, turnId: z.string().optional() }), result: none },
  /** This subagent alone, named by the call that spawned it. Answers at once; its parent goes on with what it did. */
  'agent/stop': { params: z.object({ sessionId, callId: z.string().min(1) }), result: none },
  'approval/answer': {
    params: z.object({
      sessionId,
      approvalId: z.string(),
      decision: approvalDecisionSchema,
      scope: z.enum(['once', 'session']).default('once'),
    }),
    result: none,
  },
  /** Writes a profile of the person's own; a built-in one is copied first. */
  'profile/update': {
    params: z.object({ profileId: z.string(), changes: profileChangesSchema }),
    result: z.object({ profile: profileSchema }),
  },
} as const;
export type HostMethods = typeof hostMethods;
