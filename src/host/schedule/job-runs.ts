/** Runs of jobs, from the moment that one is due until its turn is closed, also across the death of the host. */
import type { Clock, NewId } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { HostEvent } from '../../protocol/events.ts';
import type { JobRun } from '../../protocol/schedule-methods.ts';
import { failed, skipReason, verdictOf, type Absence, type Verdict } from '../../rules/run-verdict.ts';
import type { StoredJob } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import type { JobTurns } from './job-turns.ts';

/** Of each job; older ones are forgotten. */
const maxRuns = 500;

export interface JobRunsDeps {
  store: Pick<
    Store,
    'getJob' | 'putJob' | 'putRun' | 'removeRun' | 'runningRuns' | 'pruneRuns' | 'transaction'
  >;
  clock: Pick<Clock, 'now'>;
  newId: NewId;
  turns: JobTurns;
  /** The GPU was freed for other programs. */
  isGpuReleased: () => boolean;
  mayUseTokens: (userId: string) => boolean;
  publish: (event: HostEvent) => void;
  log: Log;
}

interface LiveRun {
  run: JobRun;
  /** For the GPU, before its first request. */
  wait: 'none' | 'waiting' | 'over';
}

export function createJobRuns(deps: JobRunsDeps) {
  const { store, clock, newId, turns, publish, log } = deps;
  const { keep, keepStart, end, endBroken, reportEnd } = createRunKeeper(deps);
  const live = new Map<string, LiveRun>();
  let isClosed = false;

  const isRunning = (jobId: string): boolean => [...live.values()].some(({ run }) => run.jobId === jobId);

  const follow = async (job: StoredJob, entry: LiveRun): Promise<void> => {
    try {
      const turn = await turns.run(job, (sessionId, turnId) => {
        entry.run = { ...entry.run, sessionId, turnId };
        keep(entry.run);
      });
      // The next start finds out how it ended.
      if (isClosed) return;
      live.delete(entry.run.id);
      const startedAt = entry.wait === 'none' ? (turn?.startedAt ?? null) : entry.run.startedAt;
      const run = { ...entry.run, startedAt };
      end(run, verdictOf(turn, run), { startedAt, endedAt: turn?.endedAt ?? clock.now() });
    } catch (error) {
      live.delete(entry.run.id);
      if (isClosed) return;
      log.warn('A job could not run', { jobId: job.id, error: String(error) });
      endBroken(entry.run, error);
    }
  };

  return {
    isRunning,
    /** Stores that a run is due, or why it is skipped. `reason`: why it begins late. */
    record(
      job: StoredJob,
      plannedAt: number,
      given: Partial<Pick<JobRun, 'reason' | 'isManual'>> = {},
    ): JobRun {
      const skipped = skipReason({
        isRunning: isRunning(job.id),
        isGpuReleased: deps.isGpuReleased(),
        isOverBudget: !deps.mayUseTokens(job.userId),
      });
      const run = { ...newRun(newId('run_'), job.id, plannedAt), ...given };
      const recorded: JobRun = skipped === null ? run : { ...run, state: 'skipped', reason: skipped };
      store.putRun(recorded);
      store.pruneRuns(job.id, maxRuns);
      return recorded;
    },
    /** Stores times that passed, as one entry. */
    recordMissed(
      job: StoredJob,
      times: Pick<JobRun, 'plannedAt' | 'lastPlannedAt' | 'count'>,
      reason: Absence,
    ): JobRun {
      const run = newRun(newId('run_'), job.id, times.plannedAt);
      const missed: JobRun = { ...run, ...times, state: 'missed', reason };
      store.putRun(missed);
      return missed;
    },
    /** What was recorded begins, or is told as over. */
    begin(job: StoredJob, run: JobRun): void {
      if (run.state !== 'running') {
        reportEnd(job.name, run);
        return;
      }
      const entry: LiveRun = { run, wait: 'none' };
      live.set(run.id, entry);
      publish({ type: 'schedule/changed' });
      void follow(job, entry);
    },
    /** The state of a session changed: who waited for the GPU has it now. */
    sessionsChanged(): void {
      for (const entry of live.values()) {
        const { sessionId } = entry.run;
        if (sessionId === null || entry.wait === 'over') continue;
        if (turns.isQueued(sessionId)) entry.wait = 'waiting';
        else if (entry.wait === 'waiting') {
          entry.wait = 'over';
          entry.run = { ...entry.run, startedAt: clock.now() };
          keepStart(entry.run);
        }
      }
    },
    /** Once, before anything is due: what a host that ended left open is closed, by what is stored of its turns. */
    recover: (): void => recoverRuns(deps, end),
    /** What runs is left to its session, and told at the next start. */
    close(): void {
      isClosed = true;
    },
  };
}

/** What the disk keeps of runs, and what windows hear of their ends. */
function createRunKeeper({ store, clock, publish, log }: JobRunsDeps) {
  const reportEnd = (name: string, { state, reason, detail, sessionId }: JobRun): void => {
    publish({ type: 'schedule/changed' });
    publish({ type: 'schedule/ended', name, state, reason, detail, sessionId });
  };

  /** Its job; null = that was removed meanwhile and has no runs any more, though what runs goes on. */
  const keep = (run: JobRun): StoredJob | null => {
    const job = store.getJob(run.jobId);
    if (job) store.putRun(run);
    return job;
  };

  const end: EndRun = (run, verdict, times) => {
    const ended: JobRun = { ...run, ...verdict, ...times };
    const job = keep(ended);
    if (job) reportEnd(job.name, ended);
  };

  /** Nothing is thrown into the void: on a disk that fails, the next start tells the truth. */
  const endBroken = (run: JobRun, error: unknown): void => {
    try {
      end(run, failed('error', wordsOf(error)), { startedAt: null, endedAt: clock.now() });
    } catch (again) {
      log.error('The end of a run could not be stored', again, { runId: run.id });
    }
  };

  /** The session that tells of it goes on, whatever becomes of this: the end of the run is stored with its start. */
  const keepStart = (run: JobRun): void => {
    try {
      keep(run);
    } catch (error) {
      log.error('The start of a run could not be stored', error, { runId: run.id });
    }
  };

  return { keep, keepStart, end, endBroken, reportEnd };
}

type EndRun = (run: JobRun, verdict: Verdict, times: Pick<JobRun, 'startedAt' | 'endedAt'>) => void;

function recoverRuns({ store, turns }: JobRunsDeps, end: EndRun): void {
  for (const run of store.runningRuns()) {
    const { sessionId, turnId } = run;
    const turn = sessionId === null || turnId === null ? 'unbegun' : turns.stored(sessionId, turnId);
    if (turn !== 'unbegun') {
      const startedAt = run.startedAt ?? turn?.startedAt ?? null;
      // Whoever stops one sees it end: this one was stopped by the end of Andiron.
      const closed = turn?.status === 'stopped' ? { ...turn, status: 'interrupted' as const } : turn;
      end(run, verdictOf(closed, { ...run, startedAt }), { startedAt, endedAt: turn?.endedAt ?? null });
    } else if (!planOnceMore(run, store)) end(run, failed('interrupted'), { startedAt: null, endedAt: null });
  }
}

/** Of a run that has not begun: its time passed while Andiron was closed. False = nobody had planned it. */
function planOnceMore(run: JobRun, store: JobRunsDeps['store']): boolean {
  const job = store.getJob(run.jobId);
  if (!job || run.isManual || job.isPaused) return false;
  store.transaction(() => {
    store.removeRun(run.id);
    if (job.when.kind !== 'after_session') store.putJob({ ...job, nextAt: run.plannedAt });
  });
  return true;
}

const newRun = (id: string, jobId: string, plannedAt: number): JobRun => ({
  id,
  jobId,
  plannedAt,
  lastPlannedAt: plannedAt,
  count: 1,
  isManual: false,
  state: 'running',
  reason: null,
  detail: '',
  startedAt: null,
  endedAt: null,
  sessionId: null,
  turnId: null,
});

function wordsOf(error: unknown): string {
  if (!(error instanceof AndironError)) return 'Andiron could not begin it. The log has the details.';
  return error.advice === '' ? error.message : `${error.message} ${error.advice}`;
}
