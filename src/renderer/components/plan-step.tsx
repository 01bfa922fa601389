/** A step of a plan: its mark, and in words how far it is and what proves it. */
import type { PlanStep } from '../../protocol/model.ts';
import { plan as text } from '../text.ts';
import { Mark, type StateLook } from './state-mark.tsx';
import { textOf } from './tool-verb.ts';

/** What the step in work does: it is worked on, it waits for the person, or nothing works any more. */
export type PlanStage = 'works' | 'asks' | 'over';

/** null = no longer in the list. */
export function StepMark({ step, stage }: { step: PlanStep | null; stage: PlanStage }) {
  return <Mark {...stepLook(step, stage)} />;
}

function stepLook(step: PlanStep | null, stage: PlanStage): StateLook {
  switch (step?.status) {
    case undefined:
      return { icon: 'idle', tone: 'still' };
    case 'pending':
      return { icon: 'queued', tone: 'still' };
    case 'in_progress':
      if (stage === 'over') return { icon: 'cut', tone: 'still' };
      return stage === 'asks' ? { icon: 'wait', tone: 'wait' } : { icon: 'running', tone: 'run' };
    case 'done':
      // Green is for what was seen, not for what was said.
      return { icon: 'done', tone: step.evidence ? 'ok' : 'done' };
    case 'failed':
      return { icon: 'failed', tone: 'fail' };
    case 'skipped':
      return { icon: 'declined', tone: 'still' };
  }
}

/** Said to be done, with a check that never saw it. */
export function isUnproved({ status, check, evidence }: PlanStep): boolean {
  return status === 'done' && check !== null && evidence === null;
}

/** The agent itself goes without saying. */
export function executorWords({ executor }: PlanStep): string {
  if (executor.kind === 'self') return '';
  if (executor.kind === 'agent') return text.subagent(executor.profileId);
  return textOf(executor.tool)?.verb ?? executor.tool;
}

/**
 * The steps of a plan with the one that the turn works on: what the list says, else the first that is still to be done,
 * as a model seldom says when it begins one.
 */
export function withCurrent<S extends PlanStep | null>(steps: readonly S[], stage: PlanStage): S[] {
  if (stage === 'over' || steps.some((step) => step?.status === 'in_progress')) return [...steps];
  const next = steps.findIndex((step) => step?.status === 'pending');
  return steps.map((step, at) => (step && at === next ? { ...step, status: 'in_progress' } : step));
}

/** What proves it, else what the model says of it, else its state. */
export function stepWords(step: PlanStep | null, stage: PlanStage): string {
  switch (step?.status) {
    case undefined:
      return text.gone;
    case 'pending':
      return '';
    case 'in_progress':
      return text.stages[stage];
    case 'done':
      if (isUnproved(step)) return text.unproved;
      return step.evidence?.text ?? step.validation ?? text.done;
    case 'failed':
      return step.validation ?? step.evidence?.text ?? text.failed;
    case 'skipped':
      return text.skipped;
  }
}
