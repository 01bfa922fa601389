/** Jobs, and what became of the times that they were planned for. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import {
  afterMissedSchema,
  jobWhenSchema,
  runReasonSchema,
  runStateSchema,
  type Job,
  type JobRun,
  type JobWhen,
} from '../../protocol/schedule-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { Database } from './sqlite.ts';

export interface StoredJob extends Omit<Job, 'runs' | 'lastRanAt'> {
  userId: string;
  /** When `when` was chosen. */
  plannedSince: number;
}

export type JobStore = ReturnType<typeof createJobStore>;

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);

/** null = an Andiron that knows this kind wrote it, or the disk is damaged. */
function readWhen(text: string): JobWhen | null {
  try {
    return jobWhenSchema.safeParse(parseJson(text)).data ?? null;
  } catch {
    return null;
  }
}

const jobRow = lazyObject(() => ({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  task: z.string(),
  when: z.string().transform(readWhen),
  profileId: z.string(),
  workspace: z.string().nullable(),
  afterMissed: afterMissedSchema,
  isPaused: flag,
  nextAt: z.number().nullable(),
  createdAt: z.number(),
  plannedSince: z.number(),
}));
const jobColumns = `id, user_id AS userId, name, task, planned AS "when", profile_id AS profileId, workspace,
  after_missed AS afterMissed, is_paused AS isPaused, next_at AS nextAt, created_at AS createdAt,
  coalesce(planned_since, created_at) AS plannedSince`;

const runRow = lazyObject(() => ({
  id: z.string(),
  jobId: z.string(),
  plannedAt: z.number(),
  lastPlannedAt: z.number(),
  count: z.number(),
  isManual: flag,
  state: runStateSchema,
  reason: runReasonSchema.nullable(),
  detail: z.string(),
  startedAt: z.number().nullable(),
  endedAt: z.number().nullable(),
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
}));
const runColumns = `id, job_id AS jobId, planned_at AS plannedAt, last_planned_at AS lastPlannedAt, count,
  is_manual AS isManual, state, reason, detail, started_at AS startedAt, ended_at AS endedAt,
  session_id AS sessionId, turn_id AS turnId`;

type JobValues = [
  id: string,
  userId: string,
  name: string,
  task: string,
  planned: string,
  profileId: string,
  workspace: string | null,
  afterMissed: string,
  isPaused: 0 | 1,
  nextAt: number | null,
  createdAt: number,
  plannedSince: number,
];
type RunValues = [
  id: string,
  jobId: string,
  plannedAt: number,
  lastPlannedAt: number,
  count: number,
  isManual: 0 | 1,
  state: string,
  reason: string | null,
  detail: string,
  startedAt: number | null,
  endedAt: number | null,
  sessionId: string | null,
  turnId: string | null,
];

export function createJobStore(database: Database) {
  const all = database.query(`SELECT ${jobColumns} FROM jobs ORDER BY created_at, rowid`, jobRow);
  const put = database.command<JobValues>(
    `INSERT INTO jobs (id, user_id, name, task, planned, profile_id, workspace, after_missed, is_paused, next_at,
       created_at, planned_since)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)
     ON CONFLICT (id) DO UPDATE SET name = ?3, task = ?4, planned = ?5, profile_id = ?6, workspace = ?7,
       after_missed = ?8, is_paused = ?9, next_at = ?10, planned_since = ?12`,
  );
  const remove = database.command<[string]>('DELETE FROM jobs WHERE id = ?');
  const runs = database.query<[string, number], JobRun>(
    `SELECT ${runColumns} FROM job_runs WHERE job_id = ? ORDER BY planned_at DESC, rowid DESC LIMIT ?`,
    runRow,
  );
  const running = database.query<[], JobRun>(
    `SELECT ${runColumns} FROM job_runs WHERE state = 'running' ORDER BY rowid`,
    runRow,
  );
  const missedAfter = database.query<[string, number], JobRun>(
    `SELECT ${runColumns} FROM job_runs WHERE job_id = ? AND state = 'missed' AND last_planned_at > ?`,
    runRow,
  );
  const putRun = database.command<RunValues>(
    `INSERT INTO job_runs (id, job_id, planned_at, last_planned_at, count, is_manual, state, reason, detail,
       started_at, ended_at, session_id, turn_id)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)
     ON CONFLICT (id) DO UPDATE SET last_planned_at = ?4, count = ?5, state = ?7, reason = ?8, detail = ?9, started_at = ?10, ended_at = ?11,
       session_id = ?12, turn_id = ?13`,
  );
  const removeRun = database.command<[string]>('DELETE FROM job_runs WHERE id = ?');
  const planned = database.query<[string, number], { until: number }>(
    `SELECT last_planned_at AS until FROM job_runs WHERE job_id = ?1 AND is_manual = 0 AND planned_at <= ?2
     ORDER BY planned_at DESC LIMIT 1`,
    z.object({ until: z.number() }),
  );
  const lastRan = database.query<[string], { at: number | null }>(
    `SELECT max(ended_at) AS at FROM job_runs WHERE job_id = ? AND state IN ('ran', 'late')`,
    z.object({ at: z.number().nullable() }),
  );
  const prune = database.command<[string, number]>(
    `DELETE FROM job_runs WHERE job_id = ?1 AND state <> 'running' AND rowid NOT IN
       (SELECT rowid FROM job_runs WHERE job_id = ?1 ORDER BY rowid DESC LIMIT ?2)`,
  );
  const listJobs = (): StoredJob[] =>
    all.all().flatMap(({ when, ...job }) => (when === null ? [] : [{ ...job, when }]));
  return {
    /** In the order in which they were made. One that cannot be read is left out. */
    listJobs,
    getJob: (id: string): StoredJob | null => listJobs().find((job) => job.id === id) ?? null,
    /** New, or in the place of what was known of it. */
    putJob: (job: StoredJob): void =>
      void put.run(
        job.id,
        job.userId,
        job.name,
        job.task,
        JSON.stringify(job.when),
        job.profileId,
        job.workspace,
        job.afterMissed,
        job.isPaused ? 1 : 0,
        job.nextAt,
        job.createdAt,
        job.plannedSince,
      ),
    /** With its runs. False = there was none. */
    removeJob: (id: string): boolean => remove.run(id) > 0,
    /** The newest first. */
    runsOfJob: (jobId: string, limit: number): JobRun[] => runs.all(jobId, limit),
    runningRuns: (): JobRun[] => running.all(),
    putRun: (run: JobRun): void =>
      void putRun.run(
        run.id,
        run.jobId,
        run.plannedAt,
        run.lastPlannedAt,
        run.count,
        run.isManual ? 1 : 0,
        run.state,
        run.reason,
        run.detail,
        run.startedAt,
        run.endedAt,
        run.sessionId,
        run.turnId,
      ),
    /** Entries that name a time after this one. */
    runsMissedAfter: (jobId: string, at: number): JobRun[] => missedAfter.all(jobId, at),
    removeRun: (id: string): void => void removeRun.run(id),
    /** That time has an entry, or is one of several in one. */
    isRunPlanned: (jobId: string, at: number): boolean => (planned.get(jobId, at)?.until ?? -Infinity) >= at,
    /** When its last run that brought an answer ended; null = none did. */
    jobLastRanAt: (jobId: string): number | null => lastRan.get(jobId)?.at ?? null,
    /** The newest stay. */
    pruneRuns: (jobId: string, kept: number): void => void prune.run(jobId, kept),
  };
}
