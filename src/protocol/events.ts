/** Everything that is told: past tense, `seq` per topic, stamped by the process that owns the topic. */
import { z } from 'zod';
import {
  agentRunSchema,
  approvalDecisionSchema,
  approvalSchema,
  changedFileSchema,
  contextUsageSchema,
  countedTokensSchema,
  editableSchema,
  engineStateSchema,
  itemSchema,
  prefillSchema,
  profileProblemSchema,
  profileSchema,
  requestUsageSchema,
  sessionSummarySchema,
  todoSchema,
  toolDisplaySchema,
  toolStateSchema,
  turnPhaseSchema,
  turnSchema,
  turnScopeSchema,
  waitsForSchema,
  warmthSchema,
} from './model.ts';
import { attachmentSchema } from './attachments.ts';
import { errorCodes } from './errors.ts';
import { planStepSchema } from './plan.ts';
import { resultFileSchema } from './result-files.ts';
import { runReasonSchema, runStateSchema } from './schedule-methods.ts';
import { examProgressSchema, examResultSchema } from './exam.ts';

const itemId = z.string();

const wireErrorSchema = z.object({
  code: z.enum(errorCodes),
  message: z.string(),
  advice: z.string().optional(),
});

/** What happens inside a turn, without its stamp: the loop emits these, the session stamps them. */
const turnEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('turn/queued'), turn: turnSchema }),
  z.object({ type: z.literal('turn/started'), profileId: z.string() }),
  z.object({ type: z.literal('turn/model'), model: z.string(), profileId: z.string() }),
  /** Before the first item of the model, and once: what comes later of the same turn changes nothing. */
  z.object({ type: z.literal('turn/scoped'), scope: turnScopeSchema }),
  z.object({
    type: z.literal('turn/phase'),
    phase: turnPhaseSchema,
    /** How many have the GPU before it. */
    ahead: z.number().int().positive().optional(),
  }),
  /** `cut`: the output limit ended the answer, so the person is offered to continue it. */
  z.object({ type: z.literal('turn/finished'), cut: z.literal(true).optional() }),
  z.object({ type: z.literal('turn/stopped') }),
  z.object({ type: z.literal('turn/failed'), error: wireErrorSchema }),
  z.object({ type: z.literal('turn/capped'), iterations: z.number().int() }),
  z.object({ type: z.literal('turn/interrupted') }),
  z.object({ type: z.literal('turn/withdrawn') }),
  /** A queued turn does not run until it is queued again. */
  z.object({ type: z.literal('turn/held'), waitsFor: waitsForSchema }),
  /** After the workers: nothing follows (Q17). */
  z.object({ type: z.literal('turn/closed') }),
  z.object({ type: z.literal('item/started'), item: itemSchema }),
  z.object({ type: z.literal('item/delta'), itemId, text: z.string() }),
  z.object({ type: z.literal('item/completed'), itemId, cut: z.boolean() }),
  /** A call in it has a card of its own now, or a plan was read: `steps`, or why it has none. */
  z.object({
    type: z.literal('item/rewritten'),
    itemId,
    text: z.string(),
    steps: z.array(planStepSchema).optional(),
    problem: z.string().optional(),
  }),
  /** How the call came to be right. */
  z.object({ type: z.literal('tool/repaired'), itemId, repairs: z.array(z.string()) }),
  z.object({ type: z.literal('tool/started'), itemId, sandboxed: z.boolean().nullable() }),
  z.object({ type: z.literal('tool/output'), itemId, text: z.string() }),
  z.object({
    type: z.literal('tool/finished'),
    itemId,
    state: toolStateSchema,
    result: z.string(),
    wholeLength: z.number().int().positive().optional(),
    display: toolDisplaySchema.nullable(),
    runMs: z.number().nullable(),
    attachments: z.array(attachmentSchema).optional(),
  }),
  z.object({
    type: z.literal('approval/requested'),
    itemId,
    approval: approvalSchema,
    /** What would happen, as far as it can be told beforehand: the diff of an edit. */
    preview: toolDisplaySchema.nullable(),
  }),
  /** The subagent behind a call's card moved on. */
  z.object({ type: z.literal('agent/changed'), itemId, agent: agentRunSchema }),
  /** A phase of planning began; null = planning is over. */
  z.object({
    type: z.literal('planning/status'),
    phase: z.union([z.literal(1), z.literal(2), z.literal(3)]).nullable(),
  }),
  /** A tool brought them out; a place that the turn has already is the same file again. */
  z.object({ type: z.literal('files/added'), files: z.array(resultFileSchema) }),
  /** The whole list, after each change. */
  z.object({ type: z.literal('todo/changed'), todo: todoSchema }),
  /** The context is as it was before this summary. */
  z.object({ type: z.literal('compaction/undone'), itemId }),
  /** This turn and all after it make room for another version, and can be chosen again where `switchable` says so. */
  z.object({ type: z.literal('turn/replaced'), switchable: z.literal(true).optional() }),
  /**
   * This turn and all after it make room, and can be chosen again, for a version that was there before: all turns of that
   * one, from now on the newest. One event, so that nobody ever sees neither.
   */
  z.object({ type: z.literal('turn/chosen'), turns: z.array(turnSchema).min(1) }),
  z.object({ type: z.literal('turn/edited'), text: z.string() }),
  z.object({
    type: z.literal('approval/resolved'),
    itemId,
    decision: approvalDecisionSchema,
    /** What the person said as they declined it. */
    reply: z.string().optional(),
    /** Nobody answered in time, so it was declined. */
    timedOut: z.literal(true).optional(),
    /** The person wrote it anew: with what, and what was allowed by that. */
    edited: editableSchema.extend({ subject: z.string(), approval: approvalSchema }).optional(),
  }),
  /** One answered request. Also fills the open `switch` item of its profile. */
  z.object({ type: z.literal('usage/measured'), usage: requestUsageSchema }),
  z.object({ type: z.literal('context/measured'), context: contextUsageSchema }),
  /** How far the prompt is read, while the engine says nothing; at most twice a second. */
  z.object({ type: z.literal('prefill/progressed'), prefill: prefillSchema }),
  /** What was found out about the engine after a stop: completes its proof. */
  z.object({
    type: z.literal('stop/proved'),
    itemId,
    idleMs: z.number().nullable(),
    slot: z.enum(['sound', 'unproved', 'cured', 'lost']),
    reloadMs: z.number().nullable(),
    promptTokens: z.number().int().nullable(),
    keptTokens: z.number().int().nullable(),
    counted: countedTokensSchema.optional(),
  }),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;

/** What happens to a session between turns. */
const sessionChangeSchema = z.object({
  type: z.literal('session/changed'),
  session: sessionSummarySchema,
});

/** Told, never stored: it is true of this engine, now. */
const warmthChangeSchema = z.object({ type: z.literal('session/warmed'), warmth: warmthSchema });

/** Files that its tools wrote, after each change and each undo. */
const filesChangeSchema = z.object({
  type: z.literal('files/changed'),
  files: z.array(changedFileSchema),
});

const stamp = { seq: z.number().int().positive(), sessionId: z.string(), at: z.number().int() };

/** An event of the topic `session:<id>`. */
export const sessionEventSchema = z.union([
  z.object({ ...stamp, turnId: z.string(), event: turnEventSchema }),
  z.object({
    ...stamp,
    turnId: z.null(),
    event: z.union([sessionChangeSchema, warmthChangeSchema, filesChangeSchema]),
  }),
]);
export type SessionEvent = z.infer<typeof sessionEventSchema>;

/** An event of the topic `host`: lists that every window shows. */
const hostEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('session/upserted'), session: sessionSummarySchema }),
  z.object({ type: z.literal('session/removed'), sessionId: z.string() }),
  z.object({
    type: z.literal('profiles/changed'),
    profiles: z.array(profileSchema),
    problems: z.array(profileProblemSchema),
  }),
  /** What is remembered about the person: whoever shows it asks again. */
  z.object({ type: z.literal('memory/changed') }),
  /** Somebody new wrote, or what a person may was changed. */
  z.object({ type: z.literal('people/changed') }),
  /** What answers where, or a persona. */
  z.object({ type: z.literal('bindings/changed') }),
  /** A way in was turned on or off, or works now, or does not. */
  z.object({ type: z.literal('ways/changed') }),
  /** A server of tools, what is known of its tools, or what is allowed of them: whoever shows it asks again. */
  z.object({ type: z.literal('mcp/changed') }),
  /** Which skills may be used, or which folders are trusted: likewise. */
  z.object({ type: z.literal('skills/changed') }),
  /** A collection, or how far it was read: likewise; a few times a second at most while one is read. */
  z.object({ type: z.literal('collections/changed') }),
  /** What was allowed for the rest of a session: likewise. */
  z.object({ type: z.literal('grants/changed') }),
  /** Jobs, or what became of one of their times: likewise. */
  z.object({ type: z.literal('schedule/changed') }),
  /** A run of a job is over; `sessionId` null = it had no turn. */
  z.object({
    type: z.literal('schedule/ended'),
    name: z.string(),
    state: runStateSchema,
    reason: runReasonSchema.nullable(),
    detail: z.string(),
    sessionId: z.string().nullable(),
  }),
  /** `exam` null = none runs now. `result`: what the one that has just ended found. */
  z.object({
    type: z.literal('exam/changed'),
    exam: examProgressSchema.nullable(),
    result: examResultSchema.optional(),
  }),
  /** Model servers besides the engine's Ollama came or went; these are the ids of those that there are now. */
  z.object({ type: z.literal('hosts/changed'), hosts: z.array(z.string()) }),
  /** Evidence of what this model can do: whoever shows it asks again. */
  z.object({ type: z.literal('abilities/changed'), model: z.string() }),
]);
export type HostEvent = z.infer<typeof hostEventSchema>;

/** An event of the topic `engine`: the parts of the state that changed. */
const engineEventSchema = z.object({
  type: z.literal('engine/changed'),
  changes: engineStateSchema.partial(),
});
export type EngineEvent = z.infer<typeof engineEventSchema>;
