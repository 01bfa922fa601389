/**
 * START READING HERE. One user message and everything Andiron does until it is finished, stopped or failed:
 *
 *   record the message → take the GPU → meet the model → take up an approved plan → add notes → make room → plan → work:
 *   ask the model, run its calls, until it answers → propose a plan, where the session only plans → end → make room for
 *   the next message while the person reads.
 *
 * Resolves for every failure of model, tool and engine: failures are items that model and person can read. All state is local; the rest of the host comes in through four ports, and all news leaves by one of them.
 * What comes before and after it, from the composer to the transcript: docs/architecture.md.
 */
import { AndironError } from '../../protocol/errors.ts';
import { closeLastStep } from '../planning/todo-list.ts';
import type { SessionData } from '../tools/tool.ts';
import { isLostSlot } from './ask-again.ts';
import { addStartNotes, beginTurn } from './begin-turn.ts';
import type { Setting, SlotWatch, TurnInput } from './deps.ts';
import { compactIfFull } from './compact.ts';
import { closeLog, endFailed, stoppedByPerson, unanswered } from './endings.ts';
import { meetModel } from './meet-model.ts';
import { planTurn, plansFirst } from './plan-turn.ts';
import type { Ports, Run } from './ports.ts';
import { notePlanOnly, proposePlan, takeApprovedPlan } from './propose-plan.ts';
import { endAsStopped, proveQuietly } from './prove-stop.ts';
import { waitingRun } from './run.ts';
import { takeSetting } from './setting.ts';
import { work } from './work.ts';

export async function runTurn(input: TurnInput, ports: Ports, signal: AbortSignal): Promise<void> {
  const waiting = waitingRun(input.turnId, ports, signal);
  const { out } = waiting;
  const { log } = waiting.history;
  let run: Run | undefined;
  let failed = false;
  let ended = false;
  let holdsGpu = true;
  const leaveGpu = (): void => {
    if (holdsGpu) run?.setting.lease.release(failed);
    holdsGpu = false;
  };

  out.emit({ type: 'turn/started', profileId: input.profileId });

  try {
    const active = await beginTurn(input, waiting, signal);
    run = { ...waiting, setting: await takeSetting(active, input.message, waiting, signal) };
    await meetModel(run, signal);
    takeApprovedPlan(input, run);
    const mayPlan = input.mayPlan && !input.plansOnly && !input.steps && plansFirst(run);
    const notes = addStartNotes(input.message, mayPlan, run);
    if (input.plansOnly) notePlanOnly(run);
    await compactIfFull(run, signal);
    // A model that calls a tool instead of planning has begun to work.
    const firstReply = mayPlan ? await planTurn(run, signal) : undefined;
    const answer = await work({ ...input, notes }, firstReply, run, signal);
    if (answer === null) {
      closeLog(log, out, '(the step limit was reached before an answer)');
      out.emit({ type: 'turn/capped', iterations: run.setting.active.profile.maxIterations });
    } else {
      if (input.plansOnly && !answer.cut) await proposePlan(answer, run, signal);
      out.emit({ type: 'turn/finished', ...(answer.cut && { cut: true }) });
    }
    ended = true;
    if (answer?.cut === false) endSteps(run.tools.data);
    await compactIfFull(run, signal);
  } catch (error) {
    if (run && ended) {
      // Nothing that comes after the answer can take it back.
      if (signal.aborted) await proveQuietly(run);
      else out.reportBug(error);
    } else if (signal.aborted) {
      closeLog(log, out, stoppedByPerson);
      await endAsStopped(run ?? waiting, leaveGpu, signal);
    } else {
      failed = true;
      closeLog(log, out, unanswered);
      endFailed(explain(error, run?.setting, waiting.model.slots), out);
    }
  } finally {
    leaveGpu();
  }
  out.emit({ type: 'turn/closed' });
}

function endSteps(data: SessionData): void {
  const before = data.todo();
  const after = closeLastStep(before);
  if (after !== before) data.setTodo(after);
}

/** Silence after a stop that closed against lines is most likely a lost slot; nothing in the engine's answers says so. */
function explain(error: unknown, setting: Setting | undefined, slots: SlotWatch): unknown {
  const model = setting?.lease.model.name;
  if (model === undefined || !(error instanceof AndironError) || !isLostSlot(error, model, slots))
    return error;
  return new AndironError(
    'slot_lost',
    `${model} has not answered since an answer was stopped: Ollama has most likely lost its slot.`,
    'Unload the model in the settings, then send again.',
    { cause: error },
  );
}
