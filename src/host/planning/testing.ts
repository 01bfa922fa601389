/** Steps and lists as tests need them. */
import type { PlanStep, Todo } from '../../protocol/plan.ts';

export function stepOf(number: number, changes: Partial<PlanStep> = {}): PlanStep {
  return {
    id: `step_${String(number)}`,
    text: `Do ${String(number)}`,
    milestone: null,
    executor: { kind: 'self' },
    status: 'pending',
    check: null,
    validation: null,
    evidence: null,
    parentId: null,
    ...changes,
  };
}

/** One step for each of the changes, numbered from 1. */
export function todoOf(...changes: Partial<PlanStep>[]): Todo {
  return { steps: changes.map((change, index) => stepOf(index + 1, change)) };
}
