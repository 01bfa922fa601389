/** A compaction that the person asked for: a turn of its own without a message, so that it is shown and stopped like one. */
import type { Turn } from '../../protocol/model.ts';
import { compactByModel } from '../loop/compact.ts';
import type { TurnInput } from '../loop/deps.ts';
import { endFailed } from '../loop/endings.ts';
import type { Ports, Run } from '../loop/ports.ts';
import { endAsStopped } from '../loop/prove-stop.ts';
import { waitingRun } from '../loop/run.ts';
import { takeSetting } from '../loop/setting.ts';

/** A message of a person has a text or files. */
export const isCompaction = ({ text, attachments }: Pick<Turn, 'text' | 'attachments'>): boolean =>
  text === '' && attachments === undefined;

/** Takes the GPU, asks the model for the summary, rewrites the log. Resolves for every failure, like `runTurn`. */
export async function runCompaction(input: TurnInput, ports: Ports, signal: AbortSignal): Promise<void> {
  const waiting = waitingRun(input.turnId, ports, signal);
  const { out, model } = waiting;
  let run: Run | undefined;
  let failed = false;
  let holdsGpu = true;
  const leaveGpu = (): void => {
    if (holdsGpu) run?.setting.lease.release(failed);
    holdsGpu = false;
  };
  out.emit({ type: 'turn/started', profileId: input.profileId });
  try {
    run = { ...waiting, setting: await takeSetting(model.active(), input.message, waiting, signal) };
    if (!(await compactByModel(run, signal)))
      out.emit({ type: 'item/started', item: { ...out.itemBase(true), ...nothingSmaller } });
    out.emit({ type: 'turn/finished' });
  } catch (error) {
    if (signal.aborted) {
      await endAsStopped(run ?? waiting, leaveGpu, signal);
    } else {
      failed = true;
      endFailed(error, out);
    }
  } finally {
    leaveGpu();
  }
  out.emit({ type: 'turn/closed' });
}

const nothingSmaller = {
  kind: 'error',
  code: 'not_smaller',
  message: 'The summary would not have been shorter than the conversation.',
  advice: 'Nothing was changed. Go on, and summarise later.',
} as const;
