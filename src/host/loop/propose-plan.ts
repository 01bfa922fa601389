/**
 * Where a session only plans, a plan is what a turn is for: the person changes it, and approves it as a turn of its own. The
 * model has looked and answered by then; one that says what it is about to do before it does anything has its plan in that.
 */
import { planOnlyInstruction, proposeInstruction, tickInstruction } from '../planning/instructions.ts';
import { fromPlan } from '../planning/todo-list.ts';
import { readVerdict } from '../planning/verdict.ts';
import { note } from '../prompt/notes.ts';
import type { TurnInput } from './deps.ts';
import { askForSteps, delegates, hasTodoTool } from './plan-turn.ts';
import { plain, PlanWriter } from './plan-writer.ts';
import type { Run } from './ports.ts';
import type { Answer } from './work.ts';

const proposed = { ...plain, proposed: true } as const;

/** Before the model is asked anything. A guided one is asked what it is about to do, and would do nothing. */
export function notePlanOnly({ setting, history: { log } }: Pick<Run, 'setting' | 'history'>): void {
  if (!setting.isGuided) log.addNotes(note(planOnlyInstruction));
}

/** After the answer. Nothing is proposed where the message asked for no change; only a stop is thrown. */
export async function proposePlan({ plan, text }: Answer, run: Run, signal: AbortSignal): Promise<void> {
  const card = new PlanWriter(proposed, run.out);
  if (plan) {
    card.end(text, plan);
    return;
  }
  // Its opening named nothing but looking.
  if (run.setting.isGuided && run.setting.opensTurns) return;
  try {
    const written = await askForSteps(card, proposeInstruction(delegates(run)), run, signal);
    if (written.steps !== null) {
      card.end(written.text, written.steps);
      if (written.remarks !== '') run.out.note('evidence', written.remarks);
    } else if (card.isBegun || written.hasOnlyThought || !isDirect(written.text)) {
      card.fail(`${written.problem}. Ask for it again, or choose another approval mode.`, written.text);
    }
  } catch (error) {
    card.stop();
    throw error;
  } finally {
    run.out.emit({ type: 'planning/status', phase: null });
  }
}

const isDirect = (text: string | undefined): boolean =>
  text !== undefined && readVerdict(text, false).kind === 'direct';

/** As the turn begins that carries it out: its message has the steps. */
export function takeApprovedPlan(
  { steps }: Pick<TurnInput, 'steps'>,
  { setting, history: { log }, tools, out }: Run,
): void {
  if (!steps) return;
  tools.data.setTodo(fromPlan(steps));
  new PlanWriter(plain, out).end('', steps);
  if (!setting.isGuided && hasTodoTool(setting.active.head)) log.addNotes(note(tickInstruction));
}
