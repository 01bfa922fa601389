import { expect, it } from 'vitest';
import { profileFileSchema, type PlanStep, type Profile, type StepStatus } from '../../protocol/model.ts';
import { quietServices } from '../tools/testing.ts';
import { agentData } from './agent-data.ts';

const step = (id: string, status: StepStatus = 'pending'): PlanStep => ({
  id,
  text: id,
  milestone: null,
  executor: { kind: 'self' },
  status,
  check: null,
  validation: null,
  evidence: null,
  parentId: null,
});
const profile: Profile = {
  ...profileFileSchema.parse({ name: 'Test', tools: [] }),
  id: 'test',
  builtIn: true,
  systemPrompt: '',
  subagentPrompt: '',
  persona: '',
};

function parentWith(...steps: PlanStep[]) {
  const { data } = quietServices();
  data.setTodo({ steps });
  return data;
}

it("keeps a subagent's plan below the step that the parent is at (P2)", () => {
  const parent = parentWith(step('1', 'done'), step('2'), step('3', 'in_progress'));
  const data = agentData(parent, profile);
  data.setTodo({ steps: [step('x'), step('y')] });
  expect(parent.todo().steps.map(({ id, parentId }) => [id, parentId])).toEqual([
    ['1', null],
    ['2', null],
    ['3', null],
    ['3.x', '3'],
    ['3.y', '3'],
  ]);
  expect(data.todo().steps.map(({ id }) => id)).toEqual(['x', 'y']);
});

it('takes the next step where the parent has marked none', () => {
  const parent = parentWith(step('1', 'done'), step('2'));
  agentData(parent, profile).setTodo({ steps: [step('x')] });
  expect(parent.todo().steps.map(({ id }) => id)).toEqual(['1', '2', '2.x']);
});

it("writes the session's list where the parent has none (A8)", () => {
  const parent = parentWith();
  agentData(parent, profile).setTodo({ steps: [step('x')] });
  expect(parent.todo().steps.map(({ id }) => id)).toEqual(['x']);
});

it('shares the notepad, and validates by its own profile (P2, A5)', () => {
  const parent = parentWith();
  const data = agentData(parent, { ...profile, stepValidationEnabled: true });
  data.writeScratchpad({ found: 'line 7' });
  expect(parent.readScratchpad()).toEqual({ found: 'line 7' });
  expect([parent.mustValidate(), data.mustValidate()]).toEqual([false, true]);
});
