/** What becomes of the times that jobs were planned for, as soon as somebody looks at the clock. */
import type { Clock } from '../../platform/clock.ts';
import type { JobRun } from '../../protocol/schedule-methods.ts';
import { lastRun, nextRun } from '../../rules/next-run.ts';
import { lateAfterMs, type Absence } from '../../rules/run-verdict.ts';
import type { StoredJob } from '../store/job-store.ts';
import type { Store } from '../store/store.ts';
import type { createJobRuns } from './job-runs.ts';
import type { JobTurns } from './job-turns.ts';

/** Times that were missed together are counted so far. */
const maxCounted = 1_000;

export interface DueJobsDeps {
  store: Pick<
    Store,
    | 'listJobs'
    | 'putJob'
    | 'putRun'
    | 'removeRun'
    | 'runsOfJob'
    | 'runsMissedAfter'
    | 'isRunPlanned'
    | 'transaction'
  >;
  clock: Pick<Clock, 'now'>;
  runs: Pick<ReturnType<typeof createJobRuns>, 'record' | 'recordMissed' | 'begin'>;
  turns: Pick<JobTurns, 'isBusy'>;
}

export function createDueJobs({ store, clock, runs, turns }: DueJobsDeps) {
  /** One transaction: a host that dies has planned either what is due, or what comes after it. */
  const begin = (job: StoredJob, first: number, now: number, absence: Absence): void => {
    const { when, createdAt } = job;
    const second = nextRun(when, createdAt, first);
    const isOne = second === null || second > now;
    const last = isOne ? first : (lastRun(when, createdAt, first, now) ?? first);
    const isSeen = now - last <= lateAfterMs;
    const isTaken = store.isRunPlanned(job.id, last);
    const isBegun = !isTaken && (isSeen || job.afterMissed === 'run_once');
    const beforeLast = isOne ? null : lastRun(when, createdAt, first - 1, last - 1);
    const lastMissed = isBegun || isTaken ? beforeLast : last;
    const recorded: JobRun[] = [];
    store.transaction(() => {
      store.putJob({ ...job, nextAt: nextFreeRun(store, job, now) });
      if (lastMissed !== null) {
        const count = countBetween(job, first, lastMissed);
        recorded.push(
          runs.recordMissed(job, { plannedAt: first, lastPlannedAt: lastMissed, count }, absence),
        );
      }
      if (isBegun) recorded.push(runs.record(job, last, { reason: isSeen ? null : absence }));
    });
    for (const run of recorded) runs.begin(job, run);
  };

  /** Times that are still to come were not missed. */
  const unmiss = (job: StoredJob, run: JobRun, now: number): void => {
    const lastPlannedAt = lastRun(job.when, job.createdAt, run.plannedAt - 1, now);
    if (lastPlannedAt === null) store.removeRun(run.id);
    else store.putRun({ ...run, lastPlannedAt, count: countBetween(job, run.plannedAt, lastPlannedAt) });
  };

  return {
    /** All that is due. `absence`: why nobody looked for as long as since the last look. */
    begin(now: number, absence: Absence): void {
      for (const job of store.listJobs())
        if (job.nextAt !== null && job.nextAt <= now) begin(job, job.nextAt, now, absence);
    },
    /** Those that wait for a session that works no more. */
    beginAfterSessions(): void {
      for (const job of store.listJobs()) {
        if (job.when.kind !== 'after_session' || job.isPaused || turns.isBusy(job.when.sessionId)) continue;
        const hasRun = store
          .runsOfJob(job.id, maxCounted)
          .some(({ isManual, plannedAt }) => !isManual && plannedAt >= job.plannedSince);
        if (!hasRun) runs.begin(job, runs.record(job, clock.now()));
      }
    },
    /** By the clock as it is now: what it had before may be years away, and what it passed over may come again. */
    planAgain(now: number): void {
      for (const job of store.listJobs()) {
        if (job.isPaused || (job.nextAt !== null && job.nextAt <= now)) continue;
        store.transaction(() => {
          for (const run of store.runsMissedAfter(job.id, now)) unmiss(job, run, now);
          store.putJob({ ...job, nextAt: nextFreeRun(store, job, now) });
        });
      }
    },
  };
}

/** The first planned time that has no entry yet. */
export function nextFreeRun(
  store: Pick<Store, 'isRunPlanned'>,
  { id, when, createdAt }: StoredJob,
  after: number,
): number | null {
  let next = nextRun(when, createdAt, after);
  while (next !== null && store.isRunPlanned(id, next)) next = nextRun(when, createdAt, next);
  return next;
}

function countBetween({ when, createdAt }: StoredJob, first: number, last: number): number {
  let [count, at] = [1, first];
  while (at < last && count < maxCounted) {
    at = nextRun(when, createdAt, at) ?? last;
    count += 1;
  }
  return count;
}
