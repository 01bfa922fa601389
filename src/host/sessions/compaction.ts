/** A compaction that the person asked for: a turn of its own without a message, so that it is shown and stopped like one. */
import type { Turn } from '../../protocol/model.ts';
import { compactByModel } from '../loop/compact.ts';
import type { Emit, TurnDeps, TurnInput } from '../loop/deps.ts';
import { endFailed } from '../loop/endings.ts';
import { endAsStopped, watchForStop } from '../loop/prove-stop.ts';
import { itemBase, type Run } from '../loop/run.ts';
import { takeSetting } from '../loop/setting.ts';

/** A message of a person has a text or files. */
export const isCompaction = ({ text, attachments }: Pick<Turn, 'text' | 'attachments'>): boolean =>
  text === '' && attachments === undefined;

/** Takes the GPU, asks the model for the summary, rewrites the log. Resolves for every failure, like `runTurn`. */
export async function runCompaction(
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const watch = watchForStop(emit, signal, deps.clock);
  const { emit: tell } = watch;
  const run: Run = { input, deps, emit: tell, signal, setting: undefined, writer: undefined };
  let failed = false;
  let holdsGpu = true;
  const leaveGpu = (): void => {
    if (holdsGpu) run.setting?.lease.release(failed);
    holdsGpu = false;
  };
  tell({ type: 'turn/started', profileId: input.profileId });
  try {
    await takeSetting(deps.active(), run);
    if (!(await compactByModel(run)))
      tell({ type: 'item/started', item: { ...itemBase(run, true), ...nothingSmaller } });
    tell({ type: 'turn/finished' });
  } catch (error) {
    if (signal.aborted) {
      await endAsStopped(watch, run, leaveGpu);
    } else {
      failed = true;
      endFailed(error, run);
    }
  } finally {
    leaveGpu();
  }
  tell({ type: 'turn/closed' });
}

const nothingSmaller = {
  kind: 'error',
  code: 'not_smaller',
  message: 'The summary would not have been shorter than the conversation.',
  advice: 'Nothing was changed. Go on, and summarise later.',
} as const;
