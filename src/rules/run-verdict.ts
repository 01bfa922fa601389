/** What became of a time that a job was planned for. Only a turn that was closed makes it one that ran. */
import type { TurnStatus } from '../protocol/model.ts';
import type { JobRun, RunReason, RunState } from '../protocol/schedule-methods.ts';

/** Later than this after its time, a run is late, and a time that nobody saw was missed. */
export const lateAfterMs = 60_000;

export interface Verdict {
  state: RunState;
  reason: RunReason | null;
  detail: string;
}

/** Why planned times passed without anybody who could see them. */
export type Absence = Extract<RunReason, 'asleep' | 'closed' | 'clock'>;

export interface Skipping {
  isRunning: boolean;
  isGpuReleased: boolean;
  isOverBudget: boolean;
}

/** Why a run that is due does not begin; null = it does. */
export function skipReason({ isRunning, isGpuReleased, isOverBudget }: Skipping): RunReason | null {
  if (isRunning) return 'still_running';
  if (isOverBudget) return 'over_budget';
  return isGpuReleased ? 'gpu_released' : null;
}

export interface ClosedTurn {
  status: TurnStatus;
  /** Of a failure: its words. */
  words: string;
}

/** Of a turn that was closed; null = it was taken back before it began. `reason` of the run: why it began late. */
export function verdictOf(
  turn: ClosedTurn | null,
  { plannedAt, startedAt, reason }: Pick<JobRun, 'plannedAt' | 'startedAt' | 'reason'>,
): Verdict {
  if (turn === null) return failed('withdrawn');
  switch (turn.status) {
    case 'finished':
      return startedAt !== null && startedAt - plannedAt > lateAfterMs
        ? { state: 'late', reason: reason ?? 'waited', detail: '' }
        : { state: 'ran', reason: null, detail: '' };
    case 'max_iterations':
      return failed('step_limit');
    case 'stopped':
      return failed('stopped');
    case 'interrupted':
      return failed('interrupted');
    case 'failed':
    case 'queued':
    case 'running':
      return failed('error', turn.words);
  }
}

export const failed = (reason: RunReason, detail = ''): Verdict => ({ state: 'failed', reason, detail });

export interface Moment {
  /** Of the wall clock. */
  now: number;
  /** Since the system started, sleep included; null = not known. */
  sinceBoot: number | null;
}

/**
 * Why nobody looked at the clock between two moments. A clock that was set forward went further than the time that
 * passed; where that is not known, it was sleep.
 * @param before null = Andiron was closed
 */
export function absenceBetween(before: Moment | null, { now, sinceBoot }: Moment): Absence {
  if (before === null) return 'closed';
  if (before.sinceBoot === null || sinceBoot === null) return 'asleep';
  const passed = sinceBoot - before.sinceBoot;
  return now - before.now - passed > passed ? 'clock' : 'asleep';
}
