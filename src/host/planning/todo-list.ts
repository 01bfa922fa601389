/** The list that a plan fills and evidence ticks (D12, E6, Q14, P2). Every function returns a new list. */
import { maxPlanSteps, maxStepLength } from '../../protocol/limits.ts';
import type { PlanStep, StepStatus, Todo } from '../../protocol/plan.ts';
import { shorten } from './reply-text.ts';

export type TodoChange = { ok: true; todo: Todo } | { ok: false; reason: string };

export interface StatusChange {
  /** Counts from 1; children are not counted. */
  index: number;
  status: StepStatus;
  /** What the model says proves it, or why not; undefined = it says nothing. */
  validation: string | undefined;
  /** E6: a step becomes done only with words of this very change, or when the host saw it. */
  mustValidate: boolean;
}

const maxValidationLength = 500;

const icons: Record<StepStatus, string> = {
  pending: '○',
  in_progress: '◎',
  done: '✓',
  failed: '✗',
  skipped: '—',
};

const ended: ReadonlySet<StepStatus> = new Set(['done', 'failed', 'skipped']);

/** A new plan replaces the list. */
export function fromPlan(steps: readonly PlanStep[]): Todo {
  return { steps: [...steps] };
}

/** The list as the model writes it. A step whose words stay the same keeps what is known of it. */
export function setSteps(todo: Todo, texts: readonly string[]): TodoChange {
  const wanted = texts.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter((text) => text !== '');
  if (wanted.length === 0) return { ok: false, reason: 'there are no steps in it' };
  if (wanted.length > maxPlanSteps)
    return { ok: false, reason: `a list has at most ${String(maxPlanSteps)} steps` };

  const before = new Map(topLevel(todo).map((step) => [step.text, step]));
  const taken = new Set(todo.steps.map(({ id }) => id));
  const steps = [...new Set(wanted.map((text) => shorten(text, maxStepLength)))].flatMap((text) => {
    const known = before.get(text);
    return known ? [known, ...childrenOf(todo, known.id)] : [newStep(freeId(taken), text)];
  });
  return { ok: true, todo: { steps } };
}

export function setStatus(todo: Todo, change: StatusChange): TodoChange {
  const { index, status, mustValidate } = change;
  const step = topLevel(todo)[index - 1];
  if (!step) return { ok: false, reason: noSuchStep(todo, index) };
  const words = shorten(change.validation?.trim() ?? '', maxValidationLength);
  // Words belong to the status that they were said with: why a step failed does not prove that it is done.
  const validation = words || (status === step.status ? step.validation : null);
  if (status === 'done' && mustValidate && validation === null && step.evidence === null) {
    return {
      ok: false,
      reason: `step ${String(index)} is not done yet: validation is missing. Say what proves it, such as the file or the output that you saw`,
    };
  }
  const evidence = status === 'done' ? step.evidence : null;
  return { ok: true, todo: replace(todo, { ...step, status, validation, evidence }) };
}

/** A subagent's list below the parent's step, in place of an earlier one (P2). A step that is gone changes nothing. */
export function addChildren(todo: Todo, parentStepId: string, steps: readonly PlanStep[]): Todo {
  const children = steps.map((step) => ({
    ...step,
    id: `${parentStepId}.${step.id}`,
    parentId: parentStepId,
  }));
  return {
    steps: todo.steps
      .filter(({ parentId }) => parentId !== parentStepId)
      .flatMap((step) => (step.id === parentStepId ? [step, ...children] : [step])),
  };
}

/** The children as a list of their own: what a subagent has as its todo list. `addChildren` puts it back. */
export function childTodo(todo: Todo, parentStepId: string): Todo {
  const children = childrenOf(todo, parentStepId);
  return {
    steps: children.map((step) => ({ ...step, id: step.id.slice(parentStepId.length + 1), parentId: null })),
  };
}

/** Changes when a step ended, was proved or was planned anew, also a subagent's; empty = nothing is left to progress (Q11). */
export function progressOf(todo: Todo): string {
  if (!hasOpenSteps(todo)) return '';
  return JSON.stringify(
    todo.steps.map(({ id, text, status, evidence }) => [
      id,
      text,
      ended.has(status) && status,
      evidence !== null,
    ]),
  );
}

function hasOpenSteps(todo: Todo): boolean {
  return todo.steps.some(({ status }) => !ended.has(status));
}

/**
 * The answer is what the last step is for, where that is the agent's own and alone is still open. No other step is done
 * by an answer, and one that says what would prove it waits for that.
 */
export function closeLastStep(todo: Todo): Todo {
  const open = todo.steps.filter(({ status }) => !ended.has(status));
  const last = topLevel(todo).at(-1);
  if (!last || open.length !== 1 || open[0] !== last) return todo;
  if (last.executor.kind !== 'self' || last.check !== null) return todo;
  return { steps: todo.steps.map((step) => (step === last ? { ...step, status: 'done' } : step)) };
}

/** With their numbers. A subagent's failed steps are its own business. */
export function newlyFailed(before: Todo, after: Todo): { index: number; step: PlanStep }[] {
  const earlier = new Set(before.steps.filter(({ status }) => status === 'failed').map(({ id }) => id));
  return topLevel(after).flatMap((step, position) =>
    step.status === 'failed' && !earlier.has(step.id) ? [{ index: position + 1, step }] : [],
  );
}

/** For the model: one line a step. */
export function renderTodo(todo: Todo): string {
  const steps = topLevel(todo);
  if (steps.length === 0) return 'The todo list is empty.';
  return steps
    .map(
      (step, position) =>
        `${String(position + 1)}. ${icons[step.status]} ${step.text}${proof(step)}${parts(todo, step)}`,
    )
    .join('\n');
}

/** `2 of 5 steps done, 1 failed. Next: 3. Fix the parser.`; empty when there is no list. */
export function summarizeTodo(todo: Todo): string {
  const steps = topLevel(todo);
  if (steps.length === 0) return '';
  const count = (status: StepStatus): number => steps.filter((step) => step.status === status).length;
  const failed = count('failed');
  const running = steps.findIndex(({ status }) => status === 'in_progress');
  const next = running === -1 ? steps.findIndex(({ status }) => status === 'pending') : running;
  const counted = `${String(count('done'))} of ${String(steps.length)} steps done${failed > 0 ? `, ${String(failed)} failed` : ''}.`;
  const text = steps[next]?.text;
  if (text === undefined) return counted;
  return `${counted} ${running === -1 ? 'Next' : 'Now'}: ${String(next + 1)}. ${shorten(text, 120)}`;
}

function proof({ status, check, evidence, executor }: PlanStep): string {
  if (evidence !== null) return ` (${evidence.text})`;
  if (status === 'done') return check === null ? '' : ' (unproved)';
  if (status !== 'pending' || executor.kind === 'self') return '';
  return executor.kind === 'tool' ? ` (${executor.tool})` : ` (agent ${executor.profileId})`;
}

function parts(todo: Todo, step: PlanStep): string {
  const children = childrenOf(todo, step.id);
  const done = children.filter(({ status }) => status === 'done').length;
  return children.length === 0 ? '' : ` (${String(done)} of ${String(children.length)} parts done)`;
}

const topLevel = (todo: Todo): PlanStep[] => todo.steps.filter(({ parentId }) => parentId === null);

const childrenOf = (todo: Todo, id: string): PlanStep[] =>
  todo.steps.filter(({ parentId }) => parentId === id);

const replace = (todo: Todo, changed: PlanStep): Todo => ({
  steps: todo.steps.map((step) => (step.id === changed.id ? changed : step)),
});

function noSuchStep(todo: Todo, index: number): string {
  const count = topLevel(todo).length;
  return count === 0
    ? 'the todo list is empty; set its steps first'
    : `there is no step ${String(index)}; they are numbered 1 to ${String(count)}`;
}

/** Of the agent's own, and nothing is known of it. */
export function newStep(id: string, text: string): PlanStep {
  const executor = { kind: 'self' } as const;
  return {
    id,
    text,
    milestone: null,
    executor,
    status: 'pending',
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
  };
}

function freeId(taken: Set<string>): string {
  let number = 1;
  while (taken.has(`step_${String(number)}`)) number += 1;
  const id = `step_${String(number)}`;
  taken.add(id);
  return id;
}
