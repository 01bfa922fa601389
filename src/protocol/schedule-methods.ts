/** Jobs: tasks that the agent is given at planned times, and what became of each of those times. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

const at = z.number().int();
/** Of jobs: a task is a message, and as long as one may be. */
const maxTask = 100_000;
const minIntervalMs = 60_000;
const maxIntervalMs = 366 * 24 * 60 * 60 * 1000;

export const jobWhenSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('once'), at }),
  /** Counted from when the job was made. */
  z.object({ kind: z.literal('interval'), everyMs: z.number().int().min(minIntervalMs).max(maxIntervalMs) }),
  /** Five fields, in the local time of an IANA time zone. */
  z.object({
    kind: z.literal('cron'),
    expression: z.string().trim().min(1).max(120),
    timeZone: z.string().min(1).max(64),
  }),
  /** Once, as soon as no turn of that session runs or asks any more. */
  z.object({ kind: z.literal('after_session'), sessionId: z.string().min(1) }),
]);
export type JobWhen = z.infer<typeof jobWhenSchema>;

/** What becomes of planned times that passed while nothing could run. */
export const afterMissedSchema = z.enum(['run_once', 'skip']);

export const runStateSchema = z.enum(['running', 'ran', 'late', 'missed', 'skipped', 'failed']);
export type RunState = z.infer<typeof runStateSchema>;

/** Why a run is late, missed, skipped or failed; `clock`: the computer's clock was set forward past it. */
export const runReasonSchema = z.enum([
  'asleep',
  'closed',
  'clock',
  'waited',
  'still_running',
  'gpu_released',
  'over_budget',
  'stopped',
  'step_limit',
  'interrupted',
  'withdrawn',
  'error',
]);
export type RunReason = z.infer<typeof runReasonSchema>;

const jobRunSchema = lazyObject(() => ({
  id: z.string(),
  jobId: z.string(),
  plannedAt: at,
  /** Several that were missed together are one entry: the last of them, and how many. */
  lastPlannedAt: at,
  count: z.number().int().positive(),
  /** Somebody asked for it: it was not planned. */
  isManual: z.boolean(),
  state: runStateSchema,
  reason: runReasonSchema.nullable(),
  /** Of an error: its words. */
  detail: z.string(),
  /** When its turn had the GPU; null = it has not begun, or never did. */
  startedAt: at.nullable(),
  /** When its turn was closed. */
  endedAt: at.nullable(),
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
}));
export type JobRun = z.infer<typeof jobRunSchema>;

const newJobSchema = z.object({
  name: z.string().trim().min(1).max(100),
  task: z.string().trim().min(1).max(maxTask),
  when: jobWhenSchema,
  profileId: z.string().min(1).max(200),
  /** Path of the folder that it works in; null = an empty one of its own. */
  workspace: z.string().min(1).max(4_000).nullable(),
  afterMissed: afterMissedSchema,
});
export type NewJob = z.infer<typeof newJobSchema>;

const jobSchema = lazyObject(() => ({
  ...newJobSchema.shape,
  id: z.string(),
  isPaused: z.boolean(),
  createdAt: at,
  /** null = it is paused, done, or waits for a session. */
  nextAt: at.nullable(),
  /** When a turn of it last ended with an answer; null = none has. */
  lastRanAt: at.nullable(),
  /** The newest first. */
  runs: z.array(jobRunSchema),
}));
export type Job = z.infer<typeof jobSchema>;

const jobId = z.string().min(1);
const oneJob = lazyObject(() => ({ job: jobSchema }));
const jobChanges = lazyObject(() => ({ ...newJobSchema.partial().shape, isPaused: z.boolean().optional() }));
export type JobChanges = z.infer<typeof jobChanges>;

export const scheduleMethods = {
  /** `timeZone`: of this computer. */
  'schedule/list': {
    params: z.object({}),
    result: lazyObject(() => ({ jobs: z.array(jobSchema), timeZone: z.string() })),
  },
  /** `invalid_params` for a time that never comes, a profile or a folder that is not there. */
  'schedule/add': { params: lazyObject(() => ({ job: newJobSchema })), result: oneJob },
  /** What is absent stays. */
  'schedule/change': { params: lazyObject(() => ({ jobId, changes: jobChanges })), result: oneJob },
  /** Its session stays; what runs of it is not stopped. */
  'schedule/remove': { params: lazyObject(() => ({ jobId })), result: z.object({}) },
  /** `busy` while it runs. */
  'schedule/run-now': { params: lazyObject(() => ({ jobId })), result: oneJob },
} as const;
