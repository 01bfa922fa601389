/** A program that is asked again and again, and may be slow, stuck or gone. */
import type { Clock } from '../../platform/clock.ts';
import type { EngineProcesses } from '../deps.ts';
import { withDeadline } from '../timing.ts';

/** From the kill to the end that follows it. */
const graceMs = 1_000;

/**
 * One process at a time: one that is stuck in the driver cannot even be killed, so it is not waited for, and no second
 * one joins it. Rejects as `processes.run` does, after the limit, and while the last one has not ended.
 */
export function createPatientRun(
  clock: Clock,
  processes: Pick<EngineProcesses, 'run'>,
  limitMs: number,
): (program: string, args: readonly string[]) => Promise<string> {
  let isRunning = false;
  return (program, args) => {
    if (isRunning) return Promise.reject(new Error(`${program} has not ended yet.`));
    isRunning = true;
    const ended = (): void => {
      isRunning = false;
    };
    const answer = processes.run(program, args, limitMs);
    void answer.then(ended, ended);
    return withDeadline(clock, limitMs + graceMs, () => answer);
  };
}

export interface BackOff {
  isDue(): boolean;
  succeeded(): void;
  failed(): void;
  /** Not before that many ms have passed. */
  rest(ms: number): void;
}

/** One failure may be an accident; from the second on in a row each waits longer. */
const pausesMs = [0, 4_000, 8_000, 16_000, 32_000, 60_000];

export function createBackOff(clock: Clock): BackOff {
  let failures = 0;
  let dueAt = 0;
  const rest = (ms: number): void => {
    dueAt = clock.monotonic() + ms;
  };
  return {
    isDue: () => clock.monotonic() >= dueAt,
    succeeded() {
      failures = 0;
      dueAt = 0;
    },
    failed() {
      rest(pausesMs[Math.min(failures, pausesMs.length - 1)] ?? 0);
      failures += 1;
    },
    rest,
  };
}

/** Its value once it has one; undefined when that takes longer. The work goes on. */
export async function settledWithin<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = clock.after(ms, () => late.resolve(undefined));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    timer.cancel();
  }
}
