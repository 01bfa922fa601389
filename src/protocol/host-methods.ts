/** What the agent host answers. name → {params, result}; handlers are a mapped type over this. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { abilityMethods } from './abilities.ts';
import { attachmentMethods, maxAttachments } from './attachments.ts';
import { changedFileMethods } from './changed-files.ts';
import { collectionMethods } from './collection-methods.ts';
import { examMethods } from './exam-methods.ts';
import { examProgressSchema, examResultSchema } from './exam.ts';
import {
  approvalDecisionSchema,
  commandRuleSchema,
  hostScopeSchema,
  itemSchema,
  profileProblemSchema,
  profileSchema,
  sessionSnapshotSchema,
  sessionSummarySchema,
  todoSchema,
  turnPermissionsSchema,
  turnSchema,
  turnStatusSchema,
} from './model.ts';
import { inboxMethods } from './inbox-methods.ts';
import { modelHostMethods } from './model-host-methods.ts';
import { peopleMethods } from './people-methods.ts';
import { personMethods } from './person-methods.ts';
import { maxPlanSteps, maxStepLength } from './limits.ts';
import { formValuesSchema } from './form-question.ts';
import { approvalModeSchema } from './profile.ts';
import { programMethods } from './program-methods.ts';
import { profileMethods } from './profile-methods.ts';
import { resultFileMethods, resultFileSchema } from './result-files.ts';
import { tokenMethods } from './token-methods.ts';
import { scheduleMethods } from './schedule-methods.ts';
import { mcpMethods } from './mcp-methods.ts';
import { mcpOfferMethods, promptOriginSchema } from './mcp-offers.ts';
import { skillMethods } from './skill-methods.ts';
import { wayMethods } from './way-methods.ts';
import { webMethods } from './web-methods.ts';
import { sampleMethods } from './sample-methods.ts';
import { uploadMethods } from './upload-methods.ts';
import { tokenSumsSchema, usageMethods } from './usage-methods.ts';

const sessionId = z.string().min(1);
const none = z.object({});
/** Ids, in the order of the message. */
const attachments = z.array(z.string().min(1)).max(maxAttachments);

const versionPriceSchema = lazyObject(() => ({
  /** The model that was asked last. */
  model: z.string(),
  rereadTokens: z.number().int().nonnegative(),
  /** null = it has not read enough yet to be timed. */
  ms: z.number().nonnegative().nullable(),
}));
export type VersionPrice = z.infer<typeof versionPriceSchema>;

export const hostMethods = {
  ...abilityMethods,
  ...attachmentMethods,
  ...changedFileMethods,
  ...collectionMethods,
  ...examMethods,
  ...inboxMethods,
  ...modelHostMethods,
  ...peopleMethods,
  ...personMethods,
  ...programMethods,
  ...resultFileMethods,
  ...sampleMethods,
  ...scheduleMethods,
  ...tokenMethods,
  ...wayMethods,
  ...webMethods,
  ...mcpMethods,
  ...mcpOfferMethods,
  ...skillMethods,
  ...uploadMethods,
  ...usageMethods,
  /** Subscribes this connection to the topic `host`. */
  'host/subscribe': {
    params: none,
    result: lazyObject(() => ({
      seq: z.number().int(),
      epoch: z.string(),
      sessions: z.array(sessionSummarySchema),
      profiles: z.array(profileSchema),
      problems: z.array(profileProblemSchema),
      /**
       * `workspace`: where a session works that names no folder; null = it must name one. `isSandboxed`: commands are kept
       * in; absent = they are not.
       */
      defaults: z.object({
        profileId: z.string(),
        workspace: z.string().nullable(),
        isSandboxed: z.boolean().optional(),
      }),
      /** Ids of the other hosts, whose models are named `id/model`; absent = none. */
      hosts: z.array(z.string()).optional(),
      /** The one that runs now; null or absent = none. */
      exam: examProgressSchema.nullable().optional(),
      /** What exams found, by model. */
      exams: z.array(examResultSchema).optional(),
    })),
  },
  'session/create': {
    params: lazyObject(() => ({ workspace: z.string().optional(), profileId: z.string().optional() })),
    result: lazyObject(() => ({ session: sessionSummarySchema })),
  },
  /** Subscribes this connection to `session:<id>`: snapshot + seq. */
  'session/subscribe': {
    params: lazyObject(() => ({ sessionId })),
    result: lazyObject(() => ({ seq: z.number().int(), epoch: z.string(), snapshot: sessionSnapshotSchema })),
  },
  'session/unsubscribe': { params: lazyObject(() => ({ sessionId })), result: none },
  'session/update': {
    params: lazyObject(() => ({
      sessionId,
      title: z.string().trim().min(1).max(200).optional(),
      pinned: z.boolean().optional(),
      /** Put away, or brought back; `busy` while something runs. A new message brings it back as well. */
      archived: z.boolean().optional(),
      model: z.string().nullable().optional(),
      workspace: z.string().optional(),
      /** null = as the profile has it. `autonomous` is refused where there is no sandbox, or undo does not cover the folder. */
      approvals: approvalModeSchema.nullable().optional(),
    })),
    result: lazyObject(() => ({ session: sessionSummarySchema })),
  },
  /**
   * A turn of its own carries out what another has planned, in the mode that is named. `invalid_params` = it is no plan that
   * waits for an answer, or no mode that the session may have.
   */
  'session/approve-plan': {
    params: lazyObject(() => ({
      sessionId,
      itemId: z.string(),
      /** In their order; `id` null = one that the person added. */
      steps: z
        .array(z.object({ id: z.string().nullable(), text: z.string().trim().min(1).max(maxStepLength) }))
        .min(1)
        .max(maxPlanSteps),
      approvals: approvalModeSchema.exclude(['plan_only']),
    })),
    result: lazyObject(() => ({ turnId: z.string() })),
  },
  /** Stopped and gone from every list; kept for seven days, so that it can be restored. */
  'session/delete': { params: lazyObject(() => ({ sessionId })), result: none },
  'session/restore': {
    params: lazyObject(() => ({ sessionId })),
    result: lazyObject(() => ({ session: sessionSummarySchema })),
  },
  /** Titles, messages and answers, without regard to case: at most 50. `complete` = there are no more. */
  'session/search': {
    /** `sessionId`: what was said in that one alone, oldest first, and no title. */
    params: lazyObject(() => ({ query: z.string().trim().min(1).max(200), sessionId: sessionId.optional() })),
    result: lazyObject(() => ({
      hits: z.array(
        z.object({
          sessionId,
          title: z.string(),
          /** null = the title itself. */
          itemId: z.string().nullable(),
          turnId: z.string().nullable(),
          /** Who said it; null = the title. */
          by: z.enum(['person', 'model']).nullable(),
          snippet: z.string(),
          at: z.number().int(),
        }),
      ),
      complete: z.boolean(),
    })),
  },
  /** A new session with everything up to and including that turn; without one up to now. */
  'session/fork': {
    params: lazyObject(() => ({
      sessionId,
      turnId: z.string().optional(),
      /** Where the copy works; without it where the session does. */
      workspace: z.string().min(1).max(4096).optional(),
    })),
    result: lazyObject(() => ({ session: sessionSummarySchema })),
  },
  /** A JSON value for a file (L2). */
  'session/export': {
    params: lazyObject(() => ({ sessionId })),
    result: lazyObject(() => ({ snapshot: z.unknown() })),
  },
  'session/export-markdown': {
    params: lazyObject(() => ({ sessionId })),
    result: lazyObject(() => ({ markdown: z.string() })),
  },
  /** An exported session, as a value or as the text of its file, where it fits a frame; `snapshot_invalid` changes nothing. */
  'session/import': {
    params: lazyObject(() => ({ snapshot: z.unknown() })),
    /** `notices`: what is not as it was, in words for the person. */
    result: lazyObject(() => ({ session: sessionSummarySchema, notices: z.array(z.string()) })),
  },
  /**
   * A file of one exported session or of several, which has arrived as an upload. Cancelling the call ends it, without
   * the session that is being imported. Rejects where no session of it could be.
   */
  'session/import-upload': {
    params: lazyObject(() => ({ uploadId: z.string().min(1) })),
    result: lazyObject(() => ({
      sessions: z.array(sessionSummarySchema),
      notices: z.array(z.string()),
      /** Why the rest of the file was not imported; null = all of it was. */
      failed: z.object({ message: z.string(), advice: z.string() }).nullable(),
    })),
  },
  /** The context is empty again, what was said stays to be read (L2). Refused with `busy` while something runs. */
  'session/reset': { params: lazyObject(() => ({ sessionId })), result: none },
  /** By the model, as a turn with an empty text; `busy` while something runs. */
  'session/compact': {
    params: lazyObject(() => ({ sessionId })),
    result: lazyObject(() => ({ turnId: z.string() })),
  },
  /** The context is what it was before this summary, and what was said since. */
  'session/undo-compaction': { params: lazyObject(() => ({ sessionId, itemId: z.string() })), result: none },
  'todo/update': { params: lazyObject(() => ({ sessionId, todo: todoSchema })), result: none },
  /** Takes effect at the next iteration (F10). */
  'session/set-profile': {
    params: lazyObject(() => ({ sessionId, profileId: z.string() })),
    result: lazyObject(() => ({ session: sessionSummarySchema })),
  },
  'item/page': {
    params: lazyObject(() => ({
      sessionId,
      beforeIndex: z.number().int(),
      limit: z.number().int().min(1).max(500),
    })),
    /** `turns`: those of these items. */
    result: lazyObject(() => ({
      items: z.array(itemSchema),
      turns: z.array(turnSchema),
      hasOlder: z.boolean(),
    })),
  },
  /** The next piece of the untruncated result of a call, from this character on. `not_found` = none is kept. */
  'item/whole-result': {
    params: lazyObject(() => ({ sessionId, itemId: z.string(), from: z.number().int().nonnegative() })),
    /** `next` null = that was the last piece. */
    result: lazyObject(() => ({ text: z.string(), next: z.number().int().nullable() })),
  },
  /** Where an item stands, so that the page around it can be asked for; null = it is not in this session. */
  'item/place': {
    params: lazyObject(() => ({ sessionId, itemId: z.string() })),
    result: lazyObject(() => ({ index: z.number().int().nullable() })),
  },
  /** The reply is only an id; all news travels as events. Busy: queued, or refused with `busy` when `queue` is false. */
  'turn/start': {
    params: lazyObject(() => ({
      sessionId,
      /** Chosen by whoever may have to send the message again: with an id that is known nothing begins a second time. */
      turnId: z
        .string()
        .regex(/^turn_[0-9a-f]{12,64}$/v)
        .optional(),
      /** Empty only beside attachments. */
      text: z.string().trim(),
      attachments: attachments.optional(),
      /** The prompt of a server that it began as, however much of it the person changed. */
      origin: promptOriginSchema.optional(),
      queue: z.boolean().default(true),
      /** Sent by a program that waits for the answer: no plan comes first, and it waits for no model. */
      mayPlan: z.literal(false).optional(),
    })),
    result: lazyObject(() => ({ turnId: z.string(), queued: z.boolean() })),
  },
  /** Did this message arrive, whatever became of it? For whoever lost the reply long ago and begins nothing now. */
  'turn/known': {
    params: lazyObject(() => ({ sessionId, turnId: z.string() })),
    result: lazyObject(() => ({ isKnown: z.boolean() })),
  },
  /** For programs (A1): no plan; resolves when the turn is closed, behind what was queued before it. */
  'turn/run': {
    params: lazyObject(() => ({ sessionId, text: z.string().trim().min(1) })),
    result: lazyObject(() => ({
      turnId: z.string(),
      status: turnStatusSchema,
      /** The answer, cut or whole, `operation cancelled by user`, what there was at the step limit, or what went wrong. */
      text: z.string(),
      /** Of the error; null = none. */
      code: z.string().nullable(),
      /** The output limit ended the answer: `text` is all there was of it. */
      cut: z.boolean(),
      /** What its tools brought out, whatever became of the turn. */
      files: z.array(resultFileSchema),
      usage: tokenSumsSchema,
    })),
  },
  'turn/edit-queued': {
    params: lazyObject(() => ({ sessionId, turnId: z.string(), text: z.string().trim() })),
    result: none,
  },
  /** In the queue, to the place before that turn; null = to its end. */
  'turn/move': {
    params: lazyObject(() => ({ sessionId, turnId: z.string(), before: z.string().nullable() })),
    result: none,
  },
  /** Sends a queued message that waits for the person, or without an id all of them. Behind a turn that runs. */
  'turn/resume': { params: lazyObject(() => ({ sessionId, turnId: z.string().optional() })), result: none },
  /** This turn and all after it become an earlier version; a new turn starts in its place. `busy` while something runs. */
  'turn/edit': {
    params: lazyObject(() => ({
      sessionId,
      turnId: z.string(),
      text: z.string().trim(),
      /** Absent = those of the turn stay. */
      attachments: attachments.optional(),
    })),
    result: lazyObject(() => ({ turnId: z.string() })),
  },
  'turn/regenerate': {
    params: lazyObject(() => ({
      sessionId,
      turnId: z.string(),
      /** The person says that it asks for this; the profile's questions before each act stay. */
      allow: turnPermissionsSchema.optional(),
    })),
    result: lazyObject(() => ({ turnId: z.string() })),
  },
  /** The version that begins with this turn is in force again, with all that followed in it. `busy` while something runs. */
  'turn/choose-version': { params: lazyObject(() => ({ sessionId, turnId: z.string() })), result: none },
  /** What another version of a turn would make the engine read again; null = not known. With `text` as the new message. */
  'turn/price-version': {
    params: lazyObject(() => ({ sessionId, turnId: z.string(), text: z.string().optional() })),
    result: lazyObject(() => ({ price: versionPriceSchema.nullable() })),
  },
  /** Answers at once; the turn then ends with status `stopped`. A queued turn is withdrawn. */
  'turn/stop': { params: lazyObject(() => ({ sessionId, turnId: z.string().optional() })), result: none },
  /** This subagent alone, named by the call that spawned it. Answers at once; its parent goes on with what it did. */
  'agent/stop': { params: lazyObject(() => ({ sessionId, callId: z.string().min(1) })), result: none },
  /** This call alone, while it runs: what it did so far is its result. Answers at once; the turn goes on. */
  'call/stop': { params: lazyObject(() => ({ sessionId, callId: z.string().min(1) })), result: none },
  'approval/answer': {
    params: lazyObject(() => ({
      sessionId,
      approvalId: z.string(),
      decision: approvalDecisionSchema,
      scope: z.enum(['once', 'session']).default('once'),
      /**
       * In place of the text that is `editable`: allowed as written here, this once. `invalid_params` = the tool does not
       * take it, and the question stays open.
       */
      edited: z.string().max(100_000).optional(),
      /** With `deny`: why, or what to do instead; the model reads it. */
      reply: z.string().trim().min(1).max(4_000).optional(),
      /** One of the `rules` of the question: its command no longer asks in this folder. With `allow` alone. */
      rule: commandRuleSchema.optional(),
      /** One of the scopes of the question's `host`, which it is allowed for. With `allow` alone. */
      hostScope: hostScopeSchema.optional(),
      /** With `allow`, of a `form` that asks for values. `invalid_params` = they do not fit, and the question stays open. */
      values: formValuesSchema.optional(),
      /** With `deny`, of a `form`: the person neither answers nor declines. */
      isCancelled: z.literal(true).optional(),
    })),
    result: none,
  },
  ...profileMethods,
} as const;
export type HostMethods = typeof hostMethods;
