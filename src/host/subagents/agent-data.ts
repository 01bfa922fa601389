/** Todo list and notepad of a subagent: the parent's own (P2, A8), so that neither can overwrite what the other planned. */
import type { Profile, Todo } from '../../protocol/model.ts';
import { addChildren, childTodo } from '../planning/todo-list.ts';
import type { SessionData } from '../tools/tool.ts';

/** Its list stands below the step that the parent is at, for as long as that step exists; without a step it is the list. */
export function agentData(parent: SessionData, profile: Profile): SessionData {
  const data = { ...parent, mustValidate: () => profile.stepValidationEnabled };
  const step = stepAt(parent.todo());
  if (!step) return data;
  return {
    ...data,
    todo: () => childTodo(parent.todo(), step.id),
    setTodo: ({ steps }) => parent.setTodo(addChildren(parent.todo(), step.id, steps)),
  };
}

function stepAt({ steps }: Todo) {
  const own = steps.filter(({ parentId }) => parentId === null);
  return own.find(({ status }) => status === 'in_progress') ?? own.find(({ status }) => status === 'pending');
}
