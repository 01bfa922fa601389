/**
 * The nouns of Andiron: what a person sees (session, turn, item), what a profile says and what the engine is.
 * The renderer imports these as types only; zod runs where data enters a process (host, engine, server).
 */
import { z } from 'zod';

/** Milliseconds since the Unix epoch. */
const at = z.number().int().nonnegative();
const durationMs = z.number().nonnegative();

export const sessionStatusSchema = z.enum(['idle', 'queued', 'running', 'asking', 'failed']);
export type SessionStatus = z.infer<typeof sessionStatusSchema>;

/** One row of the sessions list. */
export const sessionSummarySchema = z.object({
  id: z.string(),
  title: z.string(),
  /** Absolute path of the workspace folder, as the person chose it. */
  workspace: z.string(),
  profileId: z.string(),
  /** The model the person pinned for this session; null = the profile's own list decides. */
  model: z.string().nullable(),
  pinned: z.boolean(),
  status: sessionStatusSchema,
  createdAt: at,
  updatedAt: at,
});
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

/** What a running turn waits for or does right now. Everything before the first line is silent on the wire (contract 2.3). */
export const turnPhaseSchema = z.enum([
  'lease',
  'loading',
  'prefill',
  'thinking',
  'text',
  'call',
  'approval',
  'tool',
  'stopping',
]);
export type TurnPhase = z.infer<typeof turnPhaseSchema>;

/** The counters of one answered model request (contract 2.3, 10). null = the engine did not say: unknown, never 0. */
export const requestUsageSchema = z.object({
  requestId: z.string(),
  iteration: z.number().int().positive(),
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
});
export type RequestUsage = z.infer<typeof requestUsageSchema>;

export const riskSchema = z.enum(['read', 'write', 'execute', 'network']);
export type Risk = z.infer<typeof riskSchema>;

/** What the person is asked before a tool runs. The text comes from the model: show it as plain text. */
export const approvalSchema = z.object({
  id: z.string(),
  tool: z.string(),
  risk: riskSchema,
  /** One line: the command, or the file and what happens to it. */
  summary: z.string(),
  /** What it would change, in words; empty when it only reads. */
  mutates: z.string(),
  /** Why it is asked: the profile's policy in words. */
  why: z.string(),
  /** Folder in which it would run. */
  where: z.string(),
  sandboxed: z.boolean(),
  /** Scopes that may be granted; commands outside a sandbox offer `once` only (design 8). */
  scopes: z.array(z.enum(['once', 'session'])),
  requestedAt: at,
});
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
export const toolDisplaySchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('file'),
    path: z.string(),
    text: z.string(),
    firstLine: z.number().int(),
    lastLine: z.number().int(),
    totalLines: z.number().int(),
  }),
  z.object({
    kind: z.literal('diff'),
    path: z.string(),
    /** Unified hunks; `lines` begin with ' ', '+' or '-'. */
    hunks: z.array(
      z.object({ oldStart: z.number().int(), newStart: z.number().int(), lines: z.array(z.string()) }),
    ),
    added: z.number().int(),
    removed: z.number().int(),
  }),
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
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    exitCode: z.number().int().nullable(),
    signal: z.string().nullable(),
  }),
]);
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
};

/** `profileId` and what changed; the counters arrive with the next request's reply. */
const switchUsage = z.object({
  promptTokens: z.number().int().nullable(),
  evaluatedTokens: z.number().int().nullable(),
});

export const itemSchema = z.discriminatedUnion('kind', [
  z.object({ ...itemBase, kind: z.literal('user'), text: z.string() }),
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
    /** What was mended in the arguments before the tool ran, in words; the model's own call stays as it was (design 4). */
    repairs: z.array(z.string()),
    state: toolStateSchema,
    /** Live output (ANSI already stripped); capped. */
    output: z.string(),
    /** What the model reads. Empty until finished. */
    result: z.string(),
    display: toolDisplaySchema.nullable(),
    sandboxed: z.boolean().nullable(),
    approval: approvalSchema.nullable(),
    decision: approvalDecisionSchema.nullable(),
    runMs: durationMs.nullable(),
  }),
  z.object({
    ...itemBase,
    kind: z.literal('note'),
    note: z.enum(['budget', 'goal', 'stall', 'replan', 'reask', 'lost_call', 'reload', 'date']),
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
    model: z.string(),
    /** From `/api/ps` after the stop; null = could not be asked. */
    stillLoaded: z.boolean().nullable(),
    vramBytes: z.number().nullable(),
    during: turnPhaseSchema,
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
]);
export type Item = z.infer<typeof itemSchema>;
export type ItemKind = Item['kind'];
export type ItemOf<K extends ItemKind> = Extract<Item, { kind: K }>;
export type ToolItem = ItemOf<'tool'>;

export const turnSchema = z.object({
  id: z.string(),
  status: turnStatusSchema,
  /** The message as the person wrote it; while queued there is no item yet. */
  text: z.string(),
  profileId: z.string(),
  model: z.string().nullable(),
  phase: turnPhaseSchema.nullable(),
  phaseSince: at.nullable(),
  queuedAt: at,
  startedAt: at.nullable(),
  endedAt: at.nullable(),
  /** After the workers: no event of this turn follows (Q17). */
  closed: z.boolean(),
  iterations: z.number().int().nonnegative(),
  usage: z.array(requestUsageSchema),
});
export type Turn = z.infer<typeof turnSchema>;

/** The prompt of the last request against the planned window, in tokens. */
export const contextUsageSchema = z.object({
  usedTokens: z.number().int().nonnegative(),
  windowTokens: z.number().int().positive(),
  estimated: z.boolean(),
});
export type ContextUsage = z.infer<typeof contextUsageSchema>;

/** Everything a window needs to show one session. Turns and items are the newest page. */
export const sessionSnapshotSchema = z.object({
  session: sessionSummarySchema,
  turns: z.array(turnSchema),
  items: z.array(itemSchema),
  /** Items with a smaller index exist and can be had with `item/page`. */
  hasOlder: z.boolean(),
  context: contextUsageSchema.nullable(),
});
export type SessionSnapshot = z.infer<typeof sessionSnapshotSchema>;

export const approvalPolicySchema = z.enum(['ask', 'auto_read']);
export type ApprovalPolicy = z.infer<typeof approvalPolicySchema>;

/** The keys of `profile.json` (E, design 5). The prompt itself is `system.md` beside it. */
const profileKeys = {
  name: z.string().min(1),
  description: z.string(),
  /** In order of preference; the first installed one is used. Empty = any installed model that can call tools. */
  models: z.array(z.string()),
  tools: z.array(z.string()),
  approvals: approvalPolicySchema,
  maxIterations: z.number().int().min(1).max(200),
  /** Left out = the model's own default. */
  think: z.union([z.boolean(), z.string()]).optional(),
  /** Planned window in tokens; the engine lowers it to what the model was trained for. */
  contextTokens: z.number().int().min(2048),
  /** Sampling that differs from the model's own parameters (design 4). */
  sampling: z.strictObject({
    temperature: z.number().min(0).max(5).optional(),
    top_p: z.number().min(0).max(1).optional(),
    top_k: z.number().int().min(0).optional(),
    seed: z.number().int().optional(),
  }),
  firstTokenTimeoutS: z.number().min(1),
  idleTokenTimeoutS: z.number().min(1),
};

/** What a profile may change: no defaults here, so a key that is not named stays as it is. */
export const profileChangesSchema = z
  .strictObject({
    ...profileKeys,
    /** null = back to the model's own default. */
    think: profileKeys.think.nullable(),
  })
  .partial();
export type ProfileChanges = z.infer<typeof profileChangesSchema>;

export const profileFileSchema = z.strictObject({
  ...profileKeys,
  description: profileKeys.description.default(''),
  models: profileKeys.models.default([]),
  approvals: profileKeys.approvals.default('auto_read'),
  maxIterations: profileKeys.maxIterations.default(20),
  contextTokens: profileKeys.contextTokens.default(16_384),
  sampling: profileKeys.sampling.default({}),
  firstTokenTimeoutS: profileKeys.firstTokenTimeoutS.default(120),
  idleTokenTimeoutS: profileKeys.idleTokenTimeoutS.default(60),
});
export type ProfileFile = z.infer<typeof profileFileSchema>;

export const profileSchema = profileFileSchema.extend({
  id: z.string(),
  builtIn: z.boolean(),
  systemPrompt: z.string(),
});
export type Profile = z.infer<typeof profileSchema>;

/** A profile folder that could not be read: shown, never dropped in silence. */
export const profileProblemSchema = z.object({ id: z.string(), path: z.string(), message: z.string() });
export type ProfileProblem = z.infer<typeof profileProblemSchema>;

/** Where Ollama stands. Every kind but `running` has a screen with the next step (design 11). */
export const engineStatusSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('searching') }),
  z.object({ kind: z.literal('absent'), tried: z.array(z.string()) }),
  /** The program is there, nothing answers at its address. */
  z.object({
    kind: z.literal('stopped'),
    program: z.string(),
    canStart: z.boolean(),
    startHint: z.string(),
  }),
  z.object({ kind: z.literal('starting'), since: at }),
  /** Something answers, but not as Ollama does. */
  z.object({ kind: z.literal('wrong'), url: z.string(), message: z.string() }),
  z.object({
    kind: z.literal('running'),
    url: z.string(),
    version: z.string(),
    /** The simulated engine: demo mode always says that it is one. */
    simulated: z.boolean(),
    /** Bound beyond loopback: anybody on the network may use it. null = unknown. */
    exposed: z.boolean().nullable(),
  }),
]);
export type EngineStatus = z.infer<typeof engineStatusSchema>;

export const modelInfoSchema = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  digest: z.string(),
  family: z.string(),
  parameterSize: z.string(),
  quantization: z.string(),
  /** From `/api/show` (authoritative, contract 1.2); null = not asked yet or refused. */
  capabilities: z.array(z.string()).nullable(),
  trainedContext: z.number().int().nullable(),
  /** Accepted `think` values (contract 10); null = unknown. */
  thinkingValues: z.array(z.union([z.boolean(), z.string()])).nullable(),
  modifiedAt: z.string(),
});
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** The frozen runner options with which a model is loaded. Sent identically by every caller; absence is part of it. */
export const loadPlanSchema = z.object({
  model: z.string(),
  /** `options` of the request, to the letter: only what is planned is present. */
  options: z.object({
    num_ctx: z.number().int(),
    num_batch: z.number().int().optional(),
    num_gpu: z.number().int().optional(),
  }),
  shift: z.literal(false),
});
export type LoadPlan = z.infer<typeof loadPlanSchema>;

/** One row of `/api/ps`. */
export const loadedModelSchema = z.object({
  name: z.string(),
  sizeBytes: z.number(),
  vramBytes: z.number(),
  contextTokens: z.number().int().nullable(),
  expiresAt: z.string(),
  /** Loaded with the load plan in force. null = never planned by Andiron. */
  asPlanned: z.boolean().nullable(),
});
export type LoadedModel = z.infer<typeof loadedModelSchema>;

/** One reading of one GPU. null = unknown, shown as unknown and never as 0. */
export const gpuSampleSchema = z.object({
  name: z.string(),
  vramTotalBytes: z.number().nullable(),
  vramUsedBytes: z.number().nullable(),
  /** Percent. */
  utilization: z.number().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nullable(),
  /** Since when the values are these. */
  at,
});
export type GpuSample = z.infer<typeof gpuSampleSchema>;

export const memorySampleSchema = z.object({
  totalBytes: z.number().nullable(),
  usedBytes: z.number().nullable(),
  /** Percent of all cores. */
  cpuLoad: z.number().nullable(),
});
export type MemorySample = z.infer<typeof memorySampleSchema>;

export const modelLoadSchema = z.object({
  model: z.string(),
  since: at,
  /** Estimate from an earlier load of this model; null = never seen. */
  expectedMs: durationMs.nullable(),
});
export type ModelLoad = z.infer<typeof modelLoadSchema>;

export const leaseInfoSchema = z.object({
  id: z.string(),
  model: z.string(),
  purpose: z.enum(['turn', 'warm']),
  label: z.string(),
  since: at,
});
export type LeaseInfo = z.infer<typeof leaseInfoSchema>;

export const keepAlivePolicySchema = z.enum(['while_open', 'always', 'never']);
export type KeepAlivePolicy = z.infer<typeof keepAlivePolicySchema>;

export const engineStateSchema = z.object({
  status: engineStatusSchema,
  models: z.array(modelInfoSchema),
  /** null = not asked yet, so "no model" is never shown by mistake. */
  modelsReadAt: at.nullable(),
  loaded: z.array(loadedModelSchema),
  loading: modelLoadSchema.nullable(),
  lease: leaseInfoSchema.nullable(),
  waiting: z.number().int().nonnegative(),
  /** Empty = none found; null = not read yet. */
  gpus: z.array(gpuSampleSchema).nullable(),
  memory: memorySampleSchema,
  keepAlive: keepAlivePolicySchema,
  /** The last thing that went wrong, with the next step; cleared when it works again. */
  problem: z.object({ code: z.string(), message: z.string(), advice: z.string(), at }).nullable(),
});
export type EngineState = z.infer<typeof engineStateSchema>;
