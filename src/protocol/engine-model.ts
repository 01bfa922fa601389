/** What the engine is and does: Ollama, its models, the GPU. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import {
  engineHostSchema,
  incidentSchema,
  lentSchema,
  pullSchema,
  setupSchema,
  waitingLeaseSchema,
} from './engine-room.ts';

/** Milliseconds since the Unix epoch. */
const at = z.number().int().nonnegative();
const durationMs = z.number().nonnegative();

/**
 * What lets nobody through to an Ollama that may be there: a certificate that is not trusted, a refusal (401, 403), or a
 * gateway that does not reach it (502 to 504).
 */
const barrierSchema = z.enum(['certificate', 'refusal', 'gateway']);
export type Barrier = z.infer<typeof barrierSchema>;

/** Where Ollama stands. Every kind but `running` has a screen with the next step. */
const engineStatusSchema = z.lazy(() =>
  z.discriminatedUnion('kind', [
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
    /** Something answers, but not as Ollama does; without a `barrier` it is something else. */
    z.object({
      kind: z.literal('wrong'),
      url: z.string(),
      message: z.string(),
      barrier: barrierSchema.optional(),
    }),
    z.object({
      kind: z.literal('running'),
      url: z.string(),
      version: z.string(),
      /** The simulated engine: demo mode always says that it is one. */
      simulated: z.boolean(),
      /** Bound beyond loopback: anybody on the network may use it. null = unknown. */
      exposed: z.boolean().nullable(),
      /** Older than what Andiron was tried with: it works as far as its probes say. */
      outdated: z.boolean().optional(),
      /** Andiron's own child, set up in its own folder. */
      own: z.boolean().optional(),
    }),
  ]),
);
export type EngineStatus = z.infer<typeof engineStatusSchema>;

export const modelInfoSchema = lazyObject(() => ({
  name: z.string(),
  sizeBytes: z.number(),
  digest: z.string(),
  family: z.string(),
  parameterSize: z.string(),
  quantization: z.string(),
  /** From `/api/show` (authoritative); null = not asked yet or refused. */
  capabilities: z.array(z.string()).nullable(),
  trainedContext: z.number().int().nullable(),
  /** Accepted `think` values; null = unknown. */
  thinkingValues: z.array(z.union([z.boolean(), z.string()])).nullable(),
  modifiedAt: z.string(),
}));
export type ModelInfo = z.infer<typeof modelInfoSchema>;

/** The frozen runner options with which a model is loaded. Sent identically by every caller; absence is part of it. */
export const loadPlanSchema = lazyObject(() => ({
  model: z.string(),
  /** `options` of the request, to the letter: only what is planned is present. */
  options: z.object({
    num_ctx: z.number().int(),
    num_batch: z.number().int().optional(),
    num_gpu: z.number().int().optional(),
  }),
  shift: z.literal(false),
}));
export type LoadPlan = z.infer<typeof loadPlanSchema>;

/** One row of `/api/ps`. */
const loadedModelSchema = lazyObject(() => ({
  name: z.string(),
  sizeBytes: z.number(),
  vramBytes: z.number(),
  contextTokens: z.number().int().nullable(),
  expiresAt: z.string(),
  /** Loaded with the load plan in force. null = never planned by Andiron. */
  asPlanned: z.boolean().nullable(),
  /** The window of the load plan; absent = never planned by Andiron. */
  plannedTokens: z.number().int().optional(),
  /** Of its VRAM the weights, as the fit estimates; the rest is cache and buffers. Absent = unknown, or not all on the GPU. */
  weightsBytes: z.number().nonnegative().optional(),
  /** It answers nobody: it only makes vectors. Absent = it may answer. */
  makesVectors: z.literal(true).optional(),
}));
export type LoadedModel = z.infer<typeof loadedModelSchema>;

/** One reading of one GPU. null = unknown, shown as unknown and never as 0. */
const gpuSampleSchema = lazyObject(() => ({
  name: z.string(),
  vramTotalBytes: z.number().nullable(),
  vramUsedBytes: z.number().nullable(),
  /** Percent. */
  utilization: z.number().nullable(),
  temperatureC: z.number().nullable(),
  powerW: z.number().nullable(),
  /** What the model server's processes hold of it, as the driver says; absent = it does not say. */
  vramModelBytes: z.number().nullable().optional(),
  /** It has no memory of its own, and `vramTotalBytes` is the most that it may take of the main memory. */
  unified: z.literal(true).optional(),
  /** Why the clock is held back (`heat`, `power`); empty = it is not; absent = unknown. */
  throttled: z.array(z.enum(['heat', 'power', 'other'])).optional(),
  /** Who gave each figure that is known: systeminformation, or a reader of the maker's driver. */
  from: z.record(z.string(), z.enum(['systeminformation', 'reader'])).optional(),
  /** Since when the values are these. */
  at,
}));
export type GpuSample = z.infer<typeof gpuSampleSchema>;

const memorySampleSchema = lazyObject(() => ({
  totalBytes: z.number().nullable(),
  usedBytes: z.number().nullable(),
  /** Percent of all cores. */
  cpuLoad: z.number().nullable(),
}));
export type MemorySample = z.infer<typeof memorySampleSchema>;

const modelLoadSchema = lazyObject(() => ({
  model: z.string(),
  since: at,
  /** Estimate from an earlier load of this model; null = never seen. */
  expectedMs: durationMs.nullable(),
  /** 0 to 1, an estimate from the growth of memory in use; absent = unknown. */
  progress: z.number().min(0).max(1).optional(),
}));
export type ModelLoad = z.infer<typeof modelLoadSchema>;

const leaseInfoSchema = lazyObject(() => ({
  id: z.string(),
  model: z.string(),
  purpose: z.enum(['turn', 'warm']),
  label: z.string(),
  since: at,
}));
export type LeaseInfo = z.infer<typeof leaseInfoSchema>;

export const keepAlivePolicySchema = z.enum(['while_open', 'minutes', 'always', 'never']);
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
  /** Programs beside Ollama that hold most of the GPU, as far as the driver names them; absent = it names none. */
  gpuPrograms: z.array(z.object({ name: z.string(), bytes: z.number().nonnegative() })).optional(),
  memory: memorySampleSchema,
  /** `failed`: the system's own readings stopped answering, so figures come from the makers' drivers alone. */
  systemReadings: z.enum(['working', 'failed']).optional(),
  keepAlive: keepAlivePolicySchema,
  /** For the policy `minutes`. */
  keepMinutes: z.number().int().positive(),
  /** Who waits for the GPU, in order. */
  queue: z.array(waitingLeaseSchema),
  lent: lentSchema.nullable(),
  hosts: z.array(engineHostSchema),
  setup: setupSchema,
  pulls: z.array(pullSchema),
  /** Newest first, at most 50. */
  incidents: z.array(incidentSchema),
  /** Estimate of the main memory in which the runner keeps left conversations; null = none known. */
  sideCacheBytes: z.number().nonnegative().nullable(),
  /** The last thing that went wrong, with the next step; cleared when it works again. */
  problem: z.object({ code: z.string(), message: z.string(), advice: z.string(), at }).nullable(),
});
export type EngineState = z.infer<typeof engineStateSchema>;
