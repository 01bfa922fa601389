/**
 * START READING HERE. One user message and everything Andiron does until it is finished, stopped or failed:
 *
 *   record the message → take the GPU → make room → plan → work: ask the model, run its calls, until it answers → end →
 *   make room for the next message while the person reads.
 *
 * Resolves for every failure of model, tool and engine (failures are items that model and person can read) and rejects
 * only for bugs. All state is local; the log, the tools and the engine come in as `deps`; all news leaves through `emit`.
 * What comes before and after it, from the composer to the transcript: docs/architecture.md.
 */
import { AndironError } from '../../protocol/errors.ts';
import { answered } from '../planning/todo.ts';
import { beginTurn, unanswered } from './begin-turn.ts';
import type { Emit, TurnDeps, TurnInput } from './deps.ts';
import { compactIfFull } from './compact.ts';
import { closeLog, endFailed } from './endings.ts';
import { planTurn } from './plan-turn.ts';
import { endAsStopped, proveQuietly, watchForStop } from './prove-stop.ts';
import { settingOf, type Run, type Setting } from './run.ts';
import { takeSetting } from './setting.ts';
import { work } from './work.ts';

export async function runTurn(
  input: TurnInput,
  deps: TurnDeps,
  emit: Emit,
  signal: AbortSignal,
): Promise<void> {
  const watch = watchForStop(emit, signal, deps.clock);
  const { emit: tell } = watch;
  const run: Run = { input, deps, emit: tell, signal, setting: undefined, writer: undefined };
  let failed = false;
  let ended = false;
  let holdsGpu = true;
  const leaveGpu = (): void => {
    if (holdsGpu) run.setting?.lease.release(failed);
    holdsGpu = false;
  };

  tell({ type: 'turn/started', profileId: input.profileId });

  try {
    await takeSetting(await beginTurn(run), run);
    await compactIfFull(run);
    const first = mayPlan(run) ? await planTurn(run) : undefined;
    const answer = await work(run, input.text, first);
    if (answer === null) {
      closeLog(deps, undefined, '(the step limit was reached before an answer)');
      tell({ type: 'turn/capped', iterations: settingOf(run).active.profile.maxIterations });
    } else {
      tell({ type: 'turn/finished', ...(answer.cut && { cut: true }) });
    }
    ended = true;
    if (answer?.cut === false) endSteps(deps);
    await compactIfFull(run);
  } catch (error) {
    if (ended) {
      // Nothing that comes after the answer can take it back.
      if (signal.aborted) await proveQuietly(run);
      else deps.onInternalError(error);
    } else if (signal.aborted) {
      closeLog(deps, run.writer, '(stopped by the user)');
      await endAsStopped(watch, run, leaveGpu);
    } else {
      failed = true;
      closeLog(deps, run.writer, unanswered);
      endFailed(explain(error, run.setting, deps), run);
    }
  } finally {
    leaveGpu();
  }
  emit({ type: 'turn/closed' });
}

function endSteps({ data }: TurnDeps): void {
  const before = data.todo();
  const after = answered(before);
  if (after !== before) data.setTodo(after);
}

const mayPlan = (run: Run): boolean => run.input.mayPlan && settingOf(run).active.profile.planningEnabled;

/** Silence after a stop that closed against lines is most likely a lost slot; nothing in the engine's answers says so. */
function explain(error: unknown, setting: Setting | undefined, deps: TurnDeps): unknown {
  const silent = error instanceof AndironError && error.code === 'stream_first_token_timeout';
  if (!silent || !setting || !deps.slots.suspect(setting.lease.model.name)) return error;
  return new AndironError(
    'slot_lost',
    `${setting.lease.model.name} has not answered since an answer was stopped: Ollama has most likely lost its slot.`,
    'Unload the model in the settings and send again; it is loaded anew.',
    { cause: error },
  );
}
