import { expect, test } from 'vitest';
import { newStep } from '../planning/todo-list.ts';
import type { ItemOf, SessionSnapshot, Turn, TurnScope } from '../../protocol/model.ts';
import { AndironError } from '../../protocol/errors.ts';
import { summary, turn } from '../store/testing.ts';
import { approvePlan } from './approve-plan.ts';
import type { Change } from './session-state.ts';

const planned = [newStep('step_1', 'one'), newStep('step_2', 'two')];

const plan: ItemOf<'plan'> = {
  kind: 'plan',
  id: 'p1',
  turnId: 't1',
  index: 0,
  startedAt: 1,
  completedAt: 1,
  cut: false,
  proposed: true,
  text: '',
  analysis: '',
  review: null,
  steps: planned,
};

function owner(scope?: TurnScope, isBusy = false) {
  const changes: Change[] = [];
  const state: SessionSnapshot = {
    session: summary({ approvals: 'plan_only' }),
    turns: [turn({ id: 't1', ...(scope && { scope }) })],
    items: [plan],
    hasOlder: false,
    context: null,
  };
  const session = {
    state,
    refuseBusy() {
      if (isBusy) throw new AndironError('busy', 'This session is still working.', '');
    },
    newTurn: (text: string) => turn({ id: 't2', text }),
    commit: (made: readonly Change[]) => void changes.push(...made),
    resume: () => undefined,
  };
  const queued = (): Turn | undefined =>
    changes.flatMap(({ event }) => (event.type === 'turn/queued' ? [event.turn] : []))[0];
  return { session, queued, changes };
}

const approval = (steps: { id: string | null; text: string }[]) =>
  ({ itemId: 'p1', steps, approvals: 'accept_edits' }) as const;

test('Each step of the plan is carried out once: another one with its id is a step of its own', () => {
  const { session, queued } = owner();
  approvePlan(
    session,
    approval([
      { id: 'step_2', text: 'two' },
      { id: 'step_2', text: 'two again' },
      { id: 'none', text: 'three' },
    ]),
  );
  expect(queued()?.plan?.steps.map(({ id, text }) => [id, text])).toEqual([
    ['step_2', 'two'],
    ['step_3', 'two again'],
    ['step_4', 'three'],
  ]);
});

test('What a guided model said that it would do is allowed in the turn that does it', () => {
  const steps = [{ id: 'step_1', text: 'one' }];
  const guided = owner({ change: true, run: false, steps: [] });
  approvePlan(guided.session, approval(steps));
  expect(guided.queued()?.allow).toEqual(['change']);
  const other = owner();
  approvePlan(other.session, approval(steps));
  expect(other.queued()?.allow).toBeUndefined();
});

test('Nothing is kept while the session works', () => {
  const { session, changes } = owner(undefined, true);
  expect(() => approvePlan(session, approval([{ id: 'step_1', text: 'one' }]))).toThrow('still working');
  expect(changes).toEqual([]);
});
