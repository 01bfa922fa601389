/** The steps of a plan as the person leaves them before it is carried out. Pure. */
import type { PlanStep } from '../../protocol/model.ts';

export interface DraftStep {
  /** Tells it from the others, also where its words are the same. */
  key: string;
  /** Of the plan's own step; null = the person added it. */
  id: string | null;
  text: string;
}

export const draftOf = (steps: readonly PlanStep[]): DraftStep[] =>
  steps.map(({ id, text }) => ({ key: id, id, text }));

export const withText = (steps: readonly DraftStep[], key: string, text: string): DraftStep[] =>
  steps.map((step) => (step.key === key ? { ...step, text } : step));

export const without = (steps: readonly DraftStep[], key: string): DraftStep[] =>
  steps.filter((step) => step.key !== key);

/** Behind that one; null = at the end. Returns its key too. */
export function withNew(
  steps: readonly DraftStep[],
  after: string | null,
): { steps: DraftStep[]; key: string } {
  const taken = new Set(steps.map(({ key }) => key));
  let number = 1;
  while (taken.has(`new_${String(number)}`)) number += 1;
  const key = `new_${String(number)}`;
  const at = after === null ? steps.length : steps.findIndex((step) => step.key === after) + 1;
  return { steps: steps.toSpliced(at, 0, { key, id: null, text: '' }), key };
}

/** One place up (-1) or down (1); the first and the last stay where they are. */
export function moved(steps: readonly DraftStep[], key: string, by: -1 | 1): DraftStep[] {
  const at = steps.findIndex((step) => step.key === key);
  const step = steps[at];
  const to = at + by;
  if (!step || to < 0 || to >= steps.length) return [...steps];
  return steps.toSpliced(at, 1).toSpliced(to, 0, step);
}

/** What is carried out: a step without words is none. */
export const saidSteps = (steps: readonly DraftStep[]): { id: string | null; text: string }[] =>
  steps.flatMap(({ id, text }) => (text.trim() === '' ? [] : [{ id, text: text.trim() }]));
