import type { PlanStep, StepStatus } from '../../protocol/model.ts';
import { plan as text } from '../text.ts';
import type { Stores } from '../stores/stores.ts';
import { command, type HostConnection } from './command.ts';

/** The person's hand in the list of steps; the model reads it with its next request. */
export function createPlanCommands(host: HostConnection, { session }: Pick<Stores, 'session'>) {
  const change = async (edit: (steps: PlanStep[]) => PlanStep[]): Promise<void> => {
    const { sessionId, state } = session.getState();
    if (sessionId === null || !state?.todo) return;
    await host.call('todo/update', { sessionId, todo: { steps: edit(state.todo.steps) } });
  };

  return {
    'todo/set-status': command<{ stepId: string; status: StepStatus }>({
      run: ({ stepId, status }) =>
        change((steps) => steps.map((step) => (step.id === stepId ? withStatus(step, status) : step))),
    }),
    /** With the steps that a subagent made of it. */
    'todo/remove': command<{ stepId: string }>({
      run: ({ stepId }) =>
        change((steps) => steps.filter(({ id, parentId }) => id !== stepId && parentId !== stepId)),
    }),
  };
}

/** What was seen stays seen only while the step is done. */
function withStatus(step: PlanStep, status: StepStatus): PlanStep {
  if (status === 'done') return { ...step, status, validation: text.byYou };
  return { ...step, status, validation: null, evidence: null };
}
