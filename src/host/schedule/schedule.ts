/** Tasks for later: what is planned, and what became of it. Every planned time ends as one entry that says so. */
import { AndironError } from '../../protocol/errors.ts';
import {
  jobWhenSchema,
  type Job,
  type JobChanges,
  type JobWhen,
  type NewJob,
} from '../../protocol/schedule-methods.ts';
import type { Clock, Timer } from '../../platform/clock.ts';
import { cronProblem, nextRun } from '../../rules/next-run.ts';
import type { StoredJob } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import { createDueJobs, nextFreeRun } from './due-jobs.ts';
import { createJobClock } from './job-clock.ts';
import { createJobRuns, type JobRunsDeps } from './job-runs.ts';

const maxJobs = 200;
/** Of each job, for whoever lists them. */
const listedRuns = 20;

export interface ScheduleDeps extends Omit<JobRunsDeps, 'store' | 'clock'> {
  store: JobRunsDeps['store'] &
    Pick<Store, 'listJobs' | 'removeJob' | 'runsOfJob' | 'isRunPlanned' | 'runsMissedAfter' | 'jobLastRanAt'>;
  clock: Clock;
  isProfile: (profileId: string) => boolean;
  /** Rejects with `workspace_invalid` for a folder that is not there. */
  resolveWorkspace: (path: string) => Promise<string>;
  /** Of this computer. */
  timeZone?: string;
}

export type Schedule = ReturnType<typeof createSchedule>;

/** Nothing is due before `start`. */
export function createSchedule(deps: ScheduleDeps) {
  const { store, clock, publish } = deps;
  // Asking for it loads what the machine knows of time zones, which no start waits for.
  let timeZone = deps.timeZone;
  const runs = createJobRuns(deps);
  const dueJobs = createDueJobs({ ...deps, runs });
  let checking: Timer | null = null;
  let isStarted = false;

  const find = (jobId: string): StoredJob => {
    const job = store.getJob(jobId);
    if (job) return job;
    throw new AndironError('not_found', 'This job does not exist any more.', 'Look at the list again.');
  };
  const shown = (job: StoredJob): Job => ({
    ...job,
    lastRanAt: store.jobLastRanAt(job.id),
    runs: store.runsOfJob(job.id, listedRuns),
  });
  const changed = (): void => {
    jobClock.changed();
    publish({ type: 'schedule/changed' });
  };

  const jobClock = createJobClock({
    clock,
    nextAt: () => earliest(store.listJobs()),
    onLook: (now, absence) => dueJobs.begin(now, absence),
    onSetBack: (now) => dueJobs.planAgain(now),
    log: deps.log,
  });
  /** The next message of a session begins in the same moment in which the last one ends. */
  const lookAfterSessions = (): void => {
    checking ??= clock.after(0, () => {
      checking = null;
      if (!isStarted) return;
      try {
        dueJobs.beginAfterSessions();
      } catch (error) {
        deps.log.error('Jobs that wait for a session could not begin', error);
      }
    });
  };
  const begin = (): void => {
    isStarted = true;
    jobClock.start();
    dueJobs.beginAfterSessions();
  };

  return {
    get timeZone(): string {
      return (timeZone ??= Intl.DateTimeFormat().resolvedOptions().timeZone);
    },
    list: (): Job[] => store.listJobs().map(shown),
    /** Rejects with `invalid_params` for what would never run. */
    async add(userId: string, given: NewJob): Promise<Job> {
      const job = await newJob(userId, given, deps);
      store.putJob(job);
      changed();
      return shown(job);
    },
    async change(jobId: string, changes: JobChanges): Promise<Job> {
      const before = find(jobId);
      await check(changes, deps);
      // Meanwhile it may have run: what it says of its times is of now.
      const now = clock.now();
      const job = { ...find(jobId), ...defined(changes), ...(changes.when && { plannedSince: now }) };
      if (changes.when) assertPlanned(job.when, before.createdAt, now);
      job.nextAt = job.isPaused ? null : nextFreeRun(store, job, now);
      store.putJob(job);
      changed();
      // The session that it waits for may have ended while it was paused.
      lookAfterSessions();
      return shown(job);
    },
    remove(jobId: string): void {
      if (!store.removeJob(jobId)) find(jobId);
      changed();
    },
    runNow(jobId: string): Job {
      const job = find(jobId);
      if (runs.isRunning(jobId))
        throw new AndironError('busy', 'This job is running.', 'Wait for it, or stop it in its session.');
      runs.begin(job, runs.record(job, clock.now(), { isManual: true }));
      return shown(job);
    },
    /** @param isBrief Andiron was started for one command: nothing begins that its end would interrupt */
    start(isBrief: boolean): void {
      runs.recover();
      dueJobs.planAgain(clock.now());
      if (!isBrief) begin();
    },
    /** A brief Andiron goes on for a person. */
    stay(): void {
      if (!isStarted) begin();
    },
    /** The state of any session changed. */
    sessionsChanged(): void {
      runs.sessionsChanged();
      lookAfterSessions();
    },
    close(): void {
      isStarted = false;
      runs.close();
      checking?.cancel();
      jobClock.close();
    },
  };
}

function earliest(jobs: readonly StoredJob[]): number | null {
  const times = jobs.flatMap(({ nextAt }) => (nextAt === null ? [] : [nextAt]));
  return times.length === 0 ? null : Math.min(...times);
}

async function newJob(userId: string, given: NewJob, deps: ScheduleDeps): Promise<StoredJob> {
  const { store, clock, newId } = deps;
  if (store.listJobs().length >= maxJobs)
    throw new AndironError('invalid_params', `There are ${String(maxJobs)} jobs.`, 'Remove one first.');
  await check(given, deps);
  const now = clock.now();
  assertPlanned(given.when, now, now);
  const nextAt = nextRun(given.when, now, now);
  return { ...given, id: newId('job_'), userId, isPaused: false, nextAt, createdAt: now, plannedSince: now };
}

function assertPlanned(when: JobWhen, createdAt: number, now: number): void {
  if (when.kind === 'after_session' || nextRun(when, createdAt, now) !== null) return;
  throw new AndironError('invalid_params', 'This time never comes.', 'Choose a time in the future.');
}

async function check(
  { when, profileId, workspace }: JobChanges,
  { turns, isProfile, resolveWorkspace }: ScheduleDeps,
): Promise<void> {
  const problem = when?.kind === 'cron' ? cronProblem(when.expression, when.timeZone) : null;
  if (problem !== null) throw new AndironError('invalid_params', `“When” cannot be read: ${problem}`);
  // What an agent wrote comes as it is, and what cannot be read back would be a job that nobody sees.
  if (when && !jobWhenSchema.safeParse(when).success)
    throw new AndironError(
      'invalid_params',
      'This time cannot be kept.',
      'Write it shorter, with ranges and steps.',
    );
  if (when?.kind === 'after_session' && !turns.isBusy(when.sessionId))
    throw new AndironError('invalid_params', 'This session is not working.', 'Run the job now instead.');
  if (profileId !== undefined && !isProfile(profileId))
    throw new AndironError('not_found', 'This profile does not exist any more.', 'Choose another profile.');
  if (workspace !== undefined && workspace !== null) await resolveWorkspace(workspace);
}

function defined({ name, task, when, profileId, workspace, afterMissed, isPaused }: JobChanges) {
  return {
    ...(name !== undefined && { name }),
    ...(task !== undefined && { task }),
    ...(when !== undefined && { when }),
    ...(profileId !== undefined && { profileId }),
    ...(workspace !== undefined && { workspace }),
    ...(afterMissed !== undefined && { afterMissed }),
    ...(isPaused !== undefined && { isPaused }),
  };
}
