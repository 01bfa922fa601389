/**
 * The engine room: what is downloaded, set up, lent, waited for, measured and what went wrong. Bytes,
 * milliseconds and tokens; null = unknown, shown as unknown and never as 0.
 */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const at = z.number().int().nonnegative();
const bytes = z.number().nonnegative();
const durationMs = z.number().nonnegative();
const tokens = z.number().int().nonnegative();

/** What went wrong, and what to do next. */
const roomProblemSchema = lazyObject(() => ({
  code: z.string(),
  message: z.string(),
  advice: z.string(),
}));
export type RoomProblem = z.infer<typeof roomProblemSchema>;

/** One download of a model. `paused`: what came is kept, and the next pull goes on from there. */
export const pullSchema = z.object({
  model: z.string(),
  phase: z.enum(['waiting', 'pulling', 'verifying', 'paused', 'failed', 'done']),
  /** Over all layers known so far; never goes back while one connection lasts. */
  completedBytes: bytes,
  totalBytes: bytes.nullable(),
  bytesPerSecond: z.number().nonnegative().nullable(),
  startedAt: at,
  problem: roomProblemSchema.nullable(),
});
export type Pull = z.infer<typeof pullSchema>;

/** One model that could be installed. */
export const catalogueEntrySchema = lazyObject(() => ({
  /** As Ollama pulls it. */
  name: z.string(),
  description: z.string(),
  downloadBytes: bytes.nullable(),
  trainedContext: tokens.nullable(),
  capabilities: z.array(z.string()),
  /** GiB of VRAM that it is meant for; 0 = none needed. */
  forVramGib: z.number().nonnegative().nullable(),
  source: z.enum(['offline', 'ollama']),
  installed: z.boolean(),
  /** Does it fit here with the usual window? */
  verdict: z.enum(['fits', 'tight', 'spills', 'too_big', 'unknown']),
}));
export type CatalogueEntry = z.infer<typeof catalogueEntrySchema>;

/** What a model will take with a window, in parts. */
export const fitSchema = z.object({
  model: z.string(),
  contextTokens: tokens,
  weightsBytes: bytes,
  cacheBytes: bytes,
  /** Compute buffers. */
  bufferBytes: bytes,
  /** Of driver and process, on each GPU. */
  overheadBytes: bytes,
  totalBytes: bytes,
  /** Free for models here, what is loaded of this model included; null = unknown. */
  freeBytes: bytes.nullable(),
  /** `tight` = fits, but within the error of the estimate; `spills` = partly on the CPU. */
  verdict: z.enum(['fits', 'tight', 'spills', 'too_big', 'unknown']),
  /** `measured`: an earlier load here with this very plan; `learnt`: corrected by loads here; else by formula. */
  basis: z.enum(['measured', 'learnt', 'formula', 'file_size']),
});
export type Fit = z.infer<typeof fitSchema>;

/** What it costs to have this model with this window: shown before it is done. */
export const loadPriceSchema = lazyObject(() => ({
  model: z.string(),
  contextTokens: tokens,
  /** False = it is loaded so already, and nothing has to be read from disk. */
  loads: z.boolean(),
  loadBytes: bytes,
  loadMs: durationMs.nullable(),
  /** What has to leave the GPU first. */
  unloads: z.array(z.string()),
  verdict: fitSchema.shape.verdict,
}));
export type LoadPrice = z.infer<typeof loadPriceSchema>;

/** Ollama in Andiron's own folder: never unasked. */
export const setupSchema = lazyObject(() => ({
  /** What could be set up here; null = this platform has no archive. `downloadBytes` 0 = it is on the disk already. */
  offer: z
    .object({ version: z.string(), downloadBytes: bytes.nullable(), url: z.string(), folder: z.string() })
    .nullable(),
  installed: z.object({ version: z.string(), folder: z.string(), sizeBytes: bytes.nullable() }).nullable(),
  /** Where its models lie, or would. `own` false = the person's own library, which removing leaves alone. */
  models: z.object({ folder: z.string(), own: z.boolean() }).optional(),
  job: z
    .object({
      kind: z.enum(['install', 'update', 'remove']),
      phase: z.enum(['downloading', 'verifying', 'unpacking', 'starting', 'removing', 'paused', 'failed']),
      receivedBytes: bytes,
      totalBytes: bytes.nullable(),
      bytesPerSecond: z.number().nonnegative().nullable(),
      problem: roomProblemSchema.nullable(),
    })
    .nullable(),
}));
export type Setup = z.infer<typeof setupSchema>;

/** One of the addresses at which Ollama is looked for, in order. */
export const engineHostSchema = lazyObject(() => ({
  url: z.string(),
  /** Where it comes from: `OLLAMA_HOST`, the person's list, Andiron's own child, or Ollama's usual address. */
  origin: z.enum(['environment', 'list', 'own', 'default']),
  standing: z.enum(['in_use', 'answers', 'silent', 'wrong', 'untried']),
  version: z.string().nullable(),
}));
export type EngineHost = z.infer<typeof engineHostSchema>;

/** For whom the GPU is wanted. Who has the lowest rank is next; of one rank, people take turns. */
export const wantedForSchema = lazyObject(() => ({
  /** 0 = the owner, 1 = other people, 2 = guests, 3 = jobs of the schedule. */
  rank: z.number().int().min(0).max(3),
  userId: z.string().max(200),
}));
export type WantedFor = z.infer<typeof wantedForSchema>;

/** Names the beginning of a prompt, so that two that begin alike can be known by it; absent = unknown. */
export const headIdSchema = z.string().max(100);

/** Somebody who waits for the GPU, in the order in which they will have it. */
export const waitingLeaseSchema = lazyObject(() => ({
  id: z.string(),
  model: z.string(),
  purpose: z.enum(['turn', 'warm']),
  label: z.string(),
  since: at,
  /** Absent = the owner. */
  wantedFor: wantedForSchema.optional(),
  head: headIdSchema.optional(),
  /** As whoever waits calls itself; absent = it does not care for its place in the line. */
  ticket: z.string().max(100).optional(),
}));
export type WaitingLease = z.infer<typeof waitingLeaseSchema>;

/** The GPU is lent to something else: what comes back later. */
export const lentSchema = lazyObject(() => ({
  model: z.string(),
  contextTokens: tokens,
  since: at,
  freedBytes: bytes,
}));
export type Lent = z.infer<typeof lentSchema>;

/** Something that cost time and that nobody asked for. */
export const incidentSchema = lazyObject(() => ({
  id: z.string(),
  at,
  kind: z.enum([
    'reload',
    'spill',
    'evicted',
    'slot_lost',
    'wasted_warm_up',
    'refused_grammar',
    'throttled',
    'other_program',
    'runner_died',
  ]),
  model: z.string().nullable(),
  /** What happened, by whom, in one line. */
  message: z.string(),
  /** What to do about it; empty = nothing. */
  advice: z.string(),
  costMs: durationMs.nullable(),
}));
export type Incident = z.infer<typeof incidentSchema>;

/** One moment of the GPU, for the timeline. */
export const timelinePointSchema = lazyObject(() => ({
  at,
  vramUsedBytes: bytes.nullable(),
  vramModelBytes: bytes.nullable(),
  utilization: z.number().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nullable(),
}));
export type TimelinePoint = z.infer<typeof timelinePointSchema>;

/** The runner's own account of one slot: a side door that may vanish any day. */
export const runnerSlotSchema = lazyObject(() => ({
  id: z.number().int(),
  taskId: z.number().int().nullable(),
  isProcessing: z.boolean(),
  /** Tokens that the slot holds so far; grows during prefill. */
  promptTokens: tokens,
  /** Evaluated by this task so far. */
  processedTokens: tokens,
  /** Found in the cache for this task. */
  cachedTokens: tokens,
  decodedTokens: tokens,
}));
export type RunnerSlot = z.infer<typeof runnerSlotSchema>;

/** Everything about an installed model that its page shows. */
export const modelDetailsSchema = lazyObject(() => ({
  name: z.string(),
  digest: z.string(),
  sizeBytes: bytes,
  family: z.string(),
  architecture: z.string().nullable(),
  parameterSize: z.string(),
  quantization: z.string(),
  capabilities: z.array(z.string()),
  trainedContext: tokens.nullable(),
  layers: z.number().int().nullable(),
  /** Bytes of cache for each token of the window; null = unknown. */
  cacheBytesPerToken: bytes.nullable(),
  parameters: z.string(),
  licence: z.string(),
  /** Who uses it: what deleting it would leave without a model. */
  dependents: z.array(z.object({ kind: z.enum(['profile', 'session', 'loaded', 'tag']), name: z.string() })),
  modifiedAt: z.string(),
}));
export type ModelDetails = z.infer<typeof modelDetailsSchema>;

/** How a prompt is, or will be, read. */
export const prefillSchema = lazyObject(() => ({
  since: at,
  /** Of the whole prompt; null = not known before the engine says so. */
  promptTokens: tokens.nullable(),
  cachedTokens: tokens.nullable(),
  /** Read so far, without what was cached. */
  readTokens: tokens,
  /** null = unknown, or overrun: then it is late, and says so. */
  secondsLeft: z.number().nonnegative().nullable(),
  overrun: z.boolean(),
  /** `measured` = from the runner's status; `predicted` = by ledger and learnt rate. */
  source: z.enum(['measured', 'predicted']),
}));
export type Prefill = z.infer<typeof prefillSchema>;

/** Why tokens were read again: the closed list of the ledger. */
const rereadCauseSchema = z.enum([
  'tools_changed',
  'head_changed',
  'flag_changed',
  'history_rewritten',
  'thinking_dropped',
  'text_moved',
  'tools_moved',
  'rendering',
  'date_changed',
  'checkpoint',
  'cache_evicted',
  'own_question',
  'window',
  'reload',
  'other_program',
  'persons_choice',
  'unknown',
]);
export type RereadCause = z.infer<typeof rereadCauseSchema>;

/** What one request made the engine read, predicted before it was sent and settled afterwards. */
export const readingSchema = lazyObject(() => ({
  predictedCached: tokens.nullable(),
  cachedTokens: tokens.nullable(),
  /** Strictly new: never evaluated before. */
  newTokens: tokens.nullable(),
  rereadTokens: tokens.nullable(),
  /** null = nothing was read again beyond what the memory kind always does. */
  cause: rereadCauseSchema.nullable(),
  owner: z.enum(['andiron', 'template', 'engine', 'other_program', 'person']).nullable(),
  /** In words: what changed, or by whom it was reloaded. */
  detail: z.string(),
  /** The text where the prompts part: a short piece of before and after; null = not kept. */
  parting: z.object({ before: z.string(), after: z.string() }).nullable(),
  settledBy: z.enum(['engine', 'runner', 'duration', 'prediction']),
}));
export type Reading = z.infer<typeof readingSchema>;

/** How warm the prompt of an open session is. */
export const warmthSchema = lazyObject(() => ({
  state: z.enum(['cold', 'waiting', 'warming', 'hot', 'off']),
  /** Evaluated, or to be evaluated. */
  tokens: tokens.nullable(),
  expectedMs: durationMs.nullable(),
}));
export type Warmth = z.infer<typeof warmthSchema>;

/** `vectors` null = not now: for somebody else, because it would have to be loaded, or because a model would have to go. */
export const embedAnswerSchema = lazyObject(() => ({
  vectors: z.array(z.array(z.number())).nullable(),
  why: z.enum(['gpu_wanted', 'not_loaded', 'no_place']).nullable(),
  /** Read by the model; null = it did not say. */
  tokens: z.number().int().nonnegative().nullable(),
}));
export type EmbedAnswer = z.infer<typeof embedAnswerSchema>;
