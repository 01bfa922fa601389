/** A program that is asked again and again, and may be slow, stuck or gone. */
import type { Clock } from '../../platform/clock.ts';
import type { EngineProcesses } from '../base/engine-deps.ts';
import { withDeadline } from '../base/timing.ts';

/** From the kill to the end that follows it. */
const gracePeriodMs = 1_000;

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
    return withDeadline(clock, limitMs + gracePeriodMs, () => answer);
  };
}
