/** What the command line ends with, for scripts. */
import type { TurnStatus } from '../protocol/model.ts';

export const exitCodes = { done: 0, usage: 1, failed: 2, stopped: 3, capped: 4 } as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

export interface TurnOutcome {
  status: TurnStatus;
  /** What was denied because nobody could be asked. */
  denied: readonly string[];
}

/** An answer after something was denied unasked counts as refused: the task may be half done. */
export function exitCodeOf({ status, denied }: TurnOutcome): ExitCode {
  switch (status) {
    case 'finished':
      return denied.length > 0 ? exitCodes.failed : exitCodes.done;
    case 'stopped':
      return exitCodes.stopped;
    case 'max_iterations':
      return exitCodes.capped;
    case 'failed':
    case 'interrupted':
    case 'queued':
    case 'running':
      return exitCodes.failed;
  }
}
