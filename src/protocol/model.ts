/**
 * The nouns of Andiron: what a person sees (session, turn, item), what a profile says and what the engine is.
 * The renderer imports these as types only; zod runs where data enters a process (host, engine, server).
 */
import { z } from 'zod';
import { askedForSchema } from './asked-for.ts';
import { lazyObject } from './lazy-object.ts';
import { attachmentSchema } from './attachments.ts';
import { formQuestionSchema } from './form-question.ts';
import { promptOriginSchema } from './mcp-offers.ts';
import { approvalModeSchema } from './profile.ts';
import { changedFileSchema, commandChangesSchema, undoCoverageSchema } from './changed-files.ts';
import { diffDisplaySchema } from './diff.ts';
import { sourceSchema, foreignQuoteSchema } from './foreign-text.ts';
import { prefillSchema, readingSchema, warmthSchema } from './engine-room.ts';
import { sessionTokensSchema } from './session-tokens-schema.ts';
import { agentRunSchema, planStepSchema, todoSchema } from './plan.ts';
import { resultFileSchema } from './result-files.ts';
import { turnPermissionsSchema, turnScopeSchema } from './turn-scope.ts';

export * from './changed-files.ts';
export * from './engine-model.ts';
export * from './engine-room.ts';
export * from './exam.ts';
export type * from './foreign-text.ts';
export * from './plan.ts';
export * from './profile.ts';
export * from './session-tokens-schema.ts';
export * from './turn-scope.ts';
export type * from './tools.ts';

/** Milliseconds since the Unix epoch. */
const at = z.number().int().nonnegative();
const durationMs = z.number().nonnegative();

export const sessionStatusSchema = z.enum(['idle', 'queued', 'running', 'asking', 'failed']);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** One row of the sessions list. */
export const sessionSummarySchema = lazyObject(() => ({
  id: z.string(),
  title: z.string(),
  /** Who wrote the title; null or absent = it is the beginning of the first message. */
  titledBy: z.enum(['model', 'person']).nullable().optional(),
  /** Absolute path of the workspace folder, as the person chose it. */
  workspace: z.string(),
  /**
   * The folder that an import named: until the person takes it or another, the session works in an empty one. Empty = it
   * cannot be offered; null or absent = the folder is chosen.
   */
  importedFrom: z.string().nullable().optional(),
  profileId: z.string(),
  /** The model the person pinned for this session; null = the profile's own list decides. */
  model: z.string().nullable(),
  pinned: z.boolean(),
  /** What it may do without asking; null or absent = as its profile has it. */
  approvals: approvalModeSchema.nullable().optional(),
  /** Where it is talked: `desktop` here (B9, X5). */
  place: z
    .object({
      platform: z.string(),
      channel: z.string(),
      thread: z.string(),
      /** How the one person is called whose conversation it is; absent = the owner's, several people's, or no name. */
      person: z.string().optional(),
    })
    .optional(),
  /** The session that it began as a copy of, which may be gone by now. */
  forkedFrom: z.string().optional(),
  /** Put away: out of the list, and still found by search. null or absent = it is not. */
  archivedAt: at.nullable().optional(),
  status: sessionStatusSchema,
  createdAt: at,
  updatedAt: at,
}));
export type SessionSummary = z.infer<typeof sessionSummarySchema>;

/** `queued` waits for an earlier turn of its session; `interrupted` = the process died under it. */
export const turnStatusSchema = z.enum([
  'queued',
  'running',
  'finished',
  'stopped',
  'failed',
  'max_iterations',
  'interrupted',
]);
export type TurnStatus = z.infer<typeof turnStatusSchema>;

/** What a running turn waits for or does right now. Everything before the first line is silent on the wire. */
export const turnPhaseSchema = z.enum([
  'lease',
  'loading',
  /** A model that nobody knows yet is asked how it calls tools. */
  'checking',
  'compacting',
  'prefill',
  'thinking',
  'text',
  'call',
  'approval',
  'tool',
  'stopping',
]);
export type TurnPhase = z.infer<typeof turnPhaseSchema>;

/** The counters of one answered model request. null = the engine did not say: unknown, never 0. */
export const requestUsageSchema = lazyObject(() => ({
  requestId: z.string(),
  /** Counts from 1; 0 = a side call (planning, compaction), which is no iteration. */
  iteration: z.number().int().nonnegative(),
  /** Of a subagent: the call that spawned it. */
  parentCallId: z.string().optional(),
  model: z.string(),
  profileId: z.string(),
  promptTokens: z.number().int().nonnegative().nullable(),
  cachedTokens: z.number().int().nonnegative().nullable(),
  /** promptTokens − cachedTokens: what the engine had to read anew. */
  evaluatedTokens: z.number().int().nonnegative().nullable(),
  outputTokens: z.number().int().nonnegative().nullable(),
  /** Time spent on the evaluated part only. */
  promptMs: durationMs.nullable(),
  outputMs: durationMs.nullable(),
  loadMs: durationMs.nullable(),
  /** From send to the first line. */
  waitedMs: durationMs,
  /** What of it was read anew and why; absent = not accounted for. */
  reading: readingSchema.optional(),
}));
export type RequestUsage = z.infer<typeof requestUsageSchema>;

export const riskSchema = z.enum(['read', 'write', 'execute', 'network']);
export type Risk = z.infer<typeof riskSchema>;

/** The one argument of a call that is text, such as the command. */
export const editableSchema = z.object({ argument: z.string(), text: z.string() });
export type Editable = z.infer<typeof editableSchema>;

/** What "for this session" allows: a tool in a folder and beneath it, or a tool that touches no files. */
export const grantSchema = z.object({
  tool: z.string(),
  /** Real path; null = the tool touches no files. */
  folder: z.string().nullable(),
});
export type Grant = z.infer<typeof grantSchema>;

/** A command by its words, which the person always allows in a folder. */
export const commandRuleSchema = z.object({
  words: z.array(z.string().min(1).max(80)).min(1).max(40),
  /** These words alone; false = also with more behind them. */
  isExact: z.boolean(),
});
export type CommandRule = z.infer<typeof commandRuleSchema>;

/** For how long a host may be reached: by this session, or by all of its folder. */
export const hostScopeSchema = z.enum(['session', 'folder']);
export type HostScope = z.infer<typeof hostScopeSchema>;

/** What the person is asked before a tool runs. The text comes from the model: show it as plain text. */
export const approvalSchema = lazyObject(() => ({
  id: z.string(),
  tool: z.string(),
  risk: riskSchema,
  /** One line: the command, or the file and what happens to it. */
  summary: z.string(),
  /** What it would change, in words; empty when it only reads. */
  mutates: z.string(),
  /** Why it is asked, in English words. */
  why: z.string(),
  /** The same for who reads another language; absent = a form, or an older host. */
  reason: askedForSchema.optional(),
  /** Such calls always ask here: `why` says nothing of this one. */
  isUsual: z.literal(true).optional(),
  /** Folder in which it would run. */
  where: z.string(),
  sandboxed: z.boolean(),
  /** Of a command in the sandbox: what it reaches besides the folder; absent = not a command, or not kept in. */
  network: z.enum(['none', 'asks']).optional(),
  /** Scopes that may be granted; commands outside a sandbox offer `once` only. */
  scopes: z.array(z.enum(['once', 'session'])),
  /** What the scope `session` allows, `shown` as the person knows the folder; absent where that scope is not offered. */
  grant: grantSchema.extend({ shown: z.string() }).optional(),
  /** Commands that may always be allowed in this folder instead of this one; absent = none. */
  rules: z.array(commandRuleSchema).optional(),
  /** What may be written anew before it is allowed; absent = nothing. */
  editable: editableSchema.optional(),
  /** The command runs already, and wants to reach this host. */
  host: z
    .object({
      /** With its port where that is none of the web's. */
      name: z.string(),
      /** An address of the network that this computer is in. */
      isPrivate: z.boolean(),
      /** For how long it may be allowed, beyond this command. */
      scopes: z.array(hostScopeSchema),
    })
    .optional(),
  /** The call runs already, and the program behind it wants to know this. */
  form: formQuestionSchema.optional(),
  /** Of a command: what of its folder could be taken back. */
  undo: undoCoverageSchema.optional(),
  /** The sentence of a text from elsewhere that holds what is asked about; absent = none was found. */
  quote: foreignQuoteSchema.optional(),
  /** A yes holds for just this until the turn ends; the next turn asks again. */
  untilTurnEnds: z.literal(true).optional(),
  requestedAt: at,
}));
export type Approval = z.infer<typeof approvalSchema>;

export const approvalDecisionSchema = z.enum(['allow', 'deny']);
export type ApprovalDecision = z.infer<typeof approvalDecisionSchema>;

export const toolStateSchema = z.enum([
  'streaming',
  'awaiting_approval',
  'running',
  'done',
  'failed',
  'declined',
  'stopped',
  'interrupted',
]);
export type ToolState = z.infer<typeof toolStateSchema>;

/** What a tool returns for its card. Structured, never markup. */
export const toolDisplaySchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      kind: z.literal('file'),
      path: z.string(),
      text: z.string(),
      firstLine: z.number().int(),
      lastLine: z.number().int(),
      totalLines: z.number().int(),
      /** A document, in words: its text is shown. Absent = the file is text. */
      readAs: z.string().optional(),
    }),
    diffDisplaySchema,
    z.object({
      kind: z.literal('list'),
      entries: z.array(z.string()),
      total: z.number().int(),
      truncated: z.boolean(),
    }),
    z.object({
      kind: z.literal('matches'),
      matches: z.array(z.object({ path: z.string(), line: z.number().int(), text: z.string() })),
      files: z.number().int(),
      total: z.number().int(),
      truncated: z.boolean(),
    }),
    z.object({ kind: z.literal('sources'), sources: z.array(sourceSchema) }),
    z.object({
      kind: z.literal('command'),
      command: z.string(),
      exitCode: z.number().int().nullable(),
      signal: z.string().nullable(),
      /** What it changed in its folder; null = that cannot be told. Left out = from before commands were recorded. */
      changes: commandChangesSchema.nullable().optional(),
    }),
  ]),
);
export type ToolDisplay = z.infer<typeof toolDisplaySchema>;

const itemBase = {
  id: z.string(),
  turnId: z.string(),
  /** Position in the session; grows by one per item. */
  index: z.number().int().nonnegative(),
  startedAt: at,
  completedAt: at.nullable(),
  /** True when the stream that wrote it was cut (stop, crash, lost connection). */
  cut: z.boolean(),
  /** Of a subagent: the call whose card it belongs to. */
  parentCallId: z.string().optional(),
};

const noteKindSchema = z.enum([
  'budget',
  'goal',
  'stall',
  'replan',
  'repeat',
  'evidence',
  'memory',
  'constrained',
  'window',
  'reask',
  'lost_call',
  'reload',
  'date',
  'fan_out',
  'context_size',
  'too_many_calls',
  /** Under an answer that may read as if something was done. */
  'unproven',
  /** The same where something was changed and no command was run. */
  'unrun',
  /** The same where a command was run, and what was to be changed besides was not. */
  'only_ran',
  /** Where what was to be done is not known: all that was done are commands, and they failed. */
  'all_failed',
  /** Under an answer with figures that stand in nothing that was found. */
  'guessed',
  /** Under an answer for which the model looked for a tool, and none fits. */
  'toolless',
  /** The folder has instructions for agents that are not used. */
  'instructions',
]);
export type NoteKind = z.infer<typeof noteKindSchema>;

/** Of what a stop kept: an answer to the whole prompt counts both figures, a look at the runner's slot only what is kept. */
export const countedTokensSchema = z.enum(['kept', 'both']);

/** `profileId` and what changed; the counters arrive with the next request's reply. */
const switchUsage = z.object({
  promptTokens: z.number().int().nullable(),
  evaluatedTokens: z.number().int().nullable(),
});

export const itemSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
    z.object({
      ...itemBase,
      kind: z.literal('user'),
      text: z.string(),
      attachments: z.array(attachmentSchema).optional(),
      from: promptOriginSchema.optional(),
    }),
    z.object({ ...itemBase, kind: z.literal('thinking'), text: z.string() }),
    z.object({ ...itemBase, kind: z.literal('text'), text: z.string() }),
    z.object({
      ...itemBase,
      kind: z.literal('tool'),
      callId: z.string(),
      tool: z.string(),
      /** As the model sent them; untrusted, possibly not what the tool accepts. */
      args: z.unknown(),
      /** The short line beside the verb: path, pattern or command. */
      subject: z.string(),
      /** What was mended in the arguments before the tool ran, in words; the model's own call stays as it was. */
      repairs: z.array(z.string()),
      state: toolStateSchema,
      /** Live output, capped: of what a terminal obeys only colours (SGR) and \r are left. For the person alone. */
      output: z.string(),
      /** What the model reads. Empty until finished. */
      result: z.string(),
      /** Characters of the untruncated result, where the model reads less of it and it is kept. */
      wholeLength: z.number().int().positive().optional(),
      display: toolDisplaySchema.nullable(),
      sandboxed: z.boolean().nullable(),
      approval: approvalSchema.nullable(),
      decision: approvalDecisionSchema.nullable(),
      /** When the question was answered. */
      answeredAt: at.optional(),
      /** What the person said as they declined it. */
      reply: z.string().optional(),
      /** Nobody answered its question in time, so it was declined. */
      timedOut: z.literal(true).optional(),
      /** What the person wrote in place of the model's before it was allowed: with this it ran. */
      edited: editableSchema.optional(),
      runMs: durationMs.nullable(),
      /** Pictures of its result: from elsewhere, as a model that sees was shown them. */
      attachments: z.array(attachmentSchema).optional(),
      /** The subagent that this call spawned. */
      agent: agentRunSchema.optional(),
    }),
    z.object({
      ...itemBase,
      kind: z.literal('plan'),
      /** `host`: the steps of the turn's scope, and no planning was done; absent = `model`. */
      source: z.enum(['model', 'host']).optional(),
      /** As the model wrote it. */
      text: z.string(),
      /** What phase 1 found; empty when it said nothing. */
      analysis: z.string(),
      /** What phase 2 changed; null = there was no review. */
      review: z.string().nullable(),
      /** As planned; how far they are says the todo list. */
      steps: z.array(planStepSchema),
      /** All that its turn was for: nothing is changed or run before the person approves it. */
      proposed: z.literal(true).optional(),
      /** Why it has no steps, in words for the person; absent = it has, or is still being written. */
      problem: z.string().optional(),
    }),
    z.object({
      ...itemBase,
      kind: z.literal('summary'),
      /** What the model now reads in place of the older turns. */
      text: z.string(),
      by: z.enum(['model', 'rules']),
      beforeTokens: z.number().int().nonnegative(),
      afterTokens: z.number().int().nonnegative(),
      /** The context generation that it began; undoing it returns to the one before. */
      generation: z.number().int().positive(),
      undone: z.boolean(),
    }),
    z.object({
      ...itemBase,
      kind: z.literal('note'),
      note: noteKindSchema,
      text: z.string(),
    }),
    z.object({
      ...itemBase,
      kind: z.literal('switch'),
      from: z.object({ profileId: z.string(), name: z.string(), model: z.string() }),
      to: z.object({ profileId: z.string(), name: z.string(), model: z.string() }),
      /** null until the first request with the new head was answered. */
      usage: switchUsage.nullable(),
    }),
    z.object({
      ...itemBase,
      kind: z.literal('stopped'),
      /** Click to closed connection; null when there was none to close. */
      closedMs: durationMs.nullable(),
      /** Nobody pressed Stop: Andiron itself was closed. */
      appClosed: z.boolean().optional(),
      model: z.string(),
      /** From `/api/ps` after the stop; null = could not be asked. */
      stillLoaded: z.boolean().nullable(),
      vramBytes: z.number().nullable(),
      during: turnPhaseSchema,
      /** Tokens of the prompt, and how many of them the engine still holds; null = unknown. */
      promptTokens: z.number().int().nullable().optional(),
      keptTokens: z.number().int().nullable().optional(),
      /** Which of the two the engine has counted; absent = neither. */
      counted: countedTokensSchema.optional(),
      /** From the close until the engine was idle; null = it still works, or could not be asked. */
      idleMs: durationMs.nullable().optional(),
      /** The one slot after a close while lines came: `unproved` until it has answered again. */
      slot: z.enum(['sound', 'unproved', 'cured', 'lost']).optional(),
      /** What the cure's load took. */
      reloadMs: durationMs.nullable().optional(),
    }),
    z.object({
      ...itemBase,
      kind: z.literal('error'),
      code: z.string(),
      /** What happened. */
      message: z.string(),
      /** What to do next; empty when the message says it. */
      advice: z.string(),
    }),
  ]),
);
export type Item = z.infer<typeof itemSchema>;
export type ItemKind = Item['kind'];
export type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }>;
export type ToolItem = ItemOf<'tool'>;

/** What a queued turn waits for beside the turns before it: to be sent by the person, or until a model can be used. */
export const waitsForSchema = z.enum(['person', 'model']);
export type WaitsFor = z.infer<typeof waitsForSchema>;

/** The item in which it was proposed, and the steps as the person left them. */
const approvedPlanSchema = z.lazy(() => z.object({ itemId: z.string(), steps: z.array(planStepSchema) }));

/** Whoever wrote a message on another platform. */
const senderSchema = z.object({
  userId: z.string(),
  /** As the platform shows them; '' = it does not say. */
  name: z.string(),
  /** Others write in the conversation too, so the model is told who it is. */
  isOneOfMany: z.literal(true).optional(),
});
export type Sender = z.infer<typeof senderSchema>;

export const turnSchema = lazyObject(() => ({
  id: z.string(),
  status: turnStatusSchema,
  /** The message as the person wrote it; while queued there is no item yet. */
  text: z.string(),
  attachments: z.array(attachmentSchema).optional(),
  /** Absent = the person wrote all of it. */
  from: promptOriginSchema.optional(),
  /** Absent = written in a window, or by a program of whoever the session belongs to. */
  sender: senderSchema.optional(),
  profileId: z.string(),
  model: z.string().nullable(),
  phase: turnPhaseSchema.nullable(),
  phaseSince: at.nullable(),
  /** While it waits for the GPU: how many have it before; absent = none that is known of. */
  ahead: z.number().int().positive().optional(),
  queuedAt: at,
  startedAt: at.nullable(),
  endedAt: at.nullable(),
  /** Of its time, what it waited for answers of the person, as far as those have come. */
  askedMs: durationMs.optional(),
  /** After the workers: no event of this turn follows (Q17). */
  closed: z.boolean(),
  /** Queued, and passed over by the queue. `person`: Stop was pressed, or Andiron ended, before it ran. */
  waitsFor: waitsForSchema.optional(),
  iterations: z.number().int().nonnegative(),
  usage: z.array(requestUsageSchema),
  /** Files that its tools brought out, each place once; absent = none. */
  files: z.array(resultFileSchema).optional(),
  /** It finished with an answer that its output limit ended: there may be more to say. */
  cut: z.literal(true).optional(),
  /** While it waits in silence: how far the prompt is read. */
  prefill: prefillSchema.optional(),
  /** The phase of planning that runs now (D7-D9). */
  planning: z.union([z.literal(1), z.literal(2), z.literal(3)]).optional(),
  /** Asked for by a program that waits for the text, so no plan comes first (A1); absent = one may. */
  mayPlan: z.literal(false).optional(),
  /** What the person allowed when they asked for it, whatever the model says that it asks for. */
  allow: turnPermissionsSchema.optional(),
  /** The plan that the person approved, which it carries out. */
  plan: approvedPlanSchema.optional(),
  /** What the model said as it opened; absent = nothing, or not yet. */
  scope: turnScopeSchema.optional(),
  /** Another version of it was asked for: kept, and no longer part of what the model reads. */
  replaced: z.boolean().optional(),
  /** The version that it is part of can be chosen again. */
  switchable: z.literal(true).optional(),
  /** Its versions, itself among them, as they were asked for, one after the other; absent = it is the only one. */
  versions: z.array(z.string()).optional(),
}));
export type Turn = z.infer<typeof turnSchema>;

/** The prompt of the last request against the planned window, in tokens. */
export const contextUsageSchema = lazyObject(() => ({
  usedTokens: z.number().int().nonnegative(),
  windowTokens: z.number().int().positive(),
  estimated: z.boolean(),
  /** What of it is no conversation, by the shares of the texts; absent = not known. */
  parts: z
    .object({
      /** System text and tools. */
      headTokens: z.number().int().nonnegative(),
      /** Folder and memory, before the first message; null = it cannot be told from the message. */
      openingTokens: z.number().int().nonnegative().nullable(),
      /** Tells the model and the texts that they were counted of from others. */
      of: z.number().optional(),
    })
    .optional(),
}));
export type ContextUsage = z.infer<typeof contextUsageSchema>;

/** Everything a window needs to show one session. Turns and items are the newest page. */
export const sessionSnapshotSchema = lazyObject(() => ({
  session: sessionSummarySchema,
  turns: z.array(turnSchema),
  items: z.array(itemSchema),
  /** Items with a smaller index exist and can be had with `item/page`. */
  hasOlder: z.boolean(),
  context: contextUsageSchema.nullable(),
  /** Absent = no request was answered yet. */
  tokens: sessionTokensSchema.optional(),
  /** Absent = nothing was planned. */
  todo: todoSchema.optional(),
  /** Files that its tools wrote, in the order of their first change; absent = none. */
  files: z.array(changedFileSchema).optional(),
  /** How much of its prompt the engine holds now; absent = not known. Never stored. */
  warmth: warmthSchema.optional(),
}));
export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>;
