/** A plan that the person approves becomes a turn of its own, in the mode that they chose. */
import { AndironError } from '../../protocol/errors.ts';
import type { ApprovalMode, PlanStep, SessionSnapshot, Turn, TurnPermission } from '../../protocol/model.ts';
import { waitingPlan } from '../../rules/waiting-plan.ts';
import { newStep } from '../planning/todo-list.ts';
import type { Change } from './session-state.ts';

/** What of a session an approval needs. */
interface PlanOwner {
  readonly state: SessionSnapshot;
  /** Throws `busy` while a turn runs or waits. */
  refuseBusy(): void;
  newTurn(text: string): Turn;
  commit(changes: readonly Change[]): void;
  /** Starts what may run. */
  resume(): void;
}

/** `id` null = the person added it. */
interface LeftStep {
  id: string | null;
  text: string;
}

export interface PlanApproval {
  itemId: string;
  /** In the order in which they are to be done. */
  steps: readonly LeftStep[];
  approvals: ApprovalMode;
}

/** What the person is shown of the message. */
const message = 'Carry out the plan.';

/** The mode and the turn are kept together: nothing runs in another mode than was chosen. Throws `busy` while one runs. */
export function approvePlan(
  session: PlanOwner,
  { itemId, steps, approvals }: PlanApproval,
): { turnId: string } {
  session.refuseBusy();
  const { state } = session;
  const plan = waitingPlan(state);
  if (plan?.id !== itemId)
    throw new AndironError(
      'invalid_params',
      'This plan does not wait for an answer any more.',
      'A newer one was made, or it was carried out: look at the end of the session.',
    );
  const planned = state.turns.find(({ id }) => id === plan.turnId);
  const allow = permissionsOf(planned);
  const turn: Turn = {
    ...session.newTurn(message),
    plan: { itemId, steps: leftSteps(plan.steps, steps) },
    ...(allow.length > 0 && { allow }),
  };
  session.commit([
    { turnId: null, event: { type: 'session/changed', session: { ...state.session, approvals } } },
    { turnId: turn.id, event: { type: 'turn/queued', turn } },
  ]);
  session.resume();
  return { turnId: turn.id };
}

/** What a guided model said that it would do; a plan of another names no kinds of acts. */
function permissionsOf(planned: Turn | undefined): TurnPermission[] {
  const { change = false, run = false } = planned?.scope ?? {};
  return [...(change ? (['change'] as const) : []), ...(run ? (['run'] as const) : [])];
}

/** A step whose words were changed is still who does it; what would have proved it may not be true of it any more. */
function leftSteps(planned: readonly PlanStep[], left: readonly LeftStep[]): PlanStep[] {
  const known = new Map(planned.map((step) => [step.id, step]));
  const taken = new Set(known.keys());
  let number = 0;
  const freeId = (): string => {
    do number += 1;
    while (taken.has(`step_${String(number)}`));
    return `step_${String(number)}`;
  };
  return left.map(({ id, text }) => {
    const step = id === null ? undefined : known.get(id);
    if (!step) return newStep(freeId(), text);
    known.delete(step.id);
    return step.text === text ? step : { ...step, text, check: null };
  });
}
