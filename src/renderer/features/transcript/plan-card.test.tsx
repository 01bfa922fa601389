import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { aPlanStep, anItem, aSnapshot, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import type { PlanStep } from '../../../protocol/model.ts';
import type { PlanStage } from '../../components/plan-step.tsx';
import { PlanCard } from './plan-card.tsx';

const steps = [
  aPlanStep({
    id: 'a',
    text: 'Run the tests',
    executor: { kind: 'tool', tool: 'run_command' },
    milestone: 'Look',
  }),
  aPlanStep({
    id: 'b',
    text: 'Explore',
    executor: { kind: 'agent', profileId: 'explorer' },
    milestone: 'Look',
  }),
  aPlanStep({ id: 'c', text: 'Answer', milestone: 'Say' }),
  aPlanStep({ id: 'd', text: 'Stop' }),
];

async function show(changes: Partial<PlanStep>[], stage: PlanStage = 'works') {
  const window = await openTestWindow();
  const item = anItem('plan', { steps, analysis: 'Rare, so time.', review: 'Run it often.' });
  const now = steps.map((step, index) => ({ ...step, ...changes[index] }));
  renderIn(window, <PlanCard item={item} now={now} stage={stage} />);
  return {
    ...window,
    user: userEvent.setup(),
    rows: () => screen.getAllByRole('listitem').map((row) => row.textContent),
  };
}

it('a plan says in words who does each step, under its milestone (audit-U10)', async () => {
  const { rows } = await show([], 'over');
  await userEvent.setup().click(screen.getByRole('button', { name: /^Plan/ }));
  expect(rows()).toEqual(['Look1Run the testsRun', '2ExploreSubagent explorer', 'Say3Answer', '4Stop']);
});

const current = () =>
  screen
    .getAllByRole('listitem')
    .flatMap((row, at) => (row.querySelector('[aria-current=step]') ? [at] : []));

it('a running plan marks the first step that is still to be done, where none was begun (audit-U10)', async () => {
  const { rows } = await show([{ status: 'done' }, { status: 'skipped' }]);
  expect(current()).toEqual([2]);
  expect(rows()[2]).toMatch(/working$/);
});

it('a running plan marks the step that the model began, and no other (audit-U10)', async () => {
  await show([{}, {}, { status: 'in_progress' }]);
  expect(current()).toEqual([2]);
});

it('a plan of which all is done marks no step (audit-U10)', async () => {
  const done = { status: 'done' } as const;
  const { user } = await show([done, done, done, done]);
  await user.click(screen.getByRole('button', { name: /^Plan/ }));
  expect(current()).toEqual([]);
});

it('a plan of a turn that is over marks no step (audit-U10)', async () => {
  const { user } = await show([{ status: 'in_progress' }], 'over');
  await user.click(screen.getByRole('button', { name: /^Plan/ }));
  expect(current()).toEqual([]);
});

it('a step of the plan is ticked by the person where it stands (audit-U10)', async () => {
  const { user, host, stores } = await show([]);
  resetSession(stores.session, 's1');
  applySessionSnapshot(stores.session, aSnapshot({ todo: { steps } }));
  host.answer('todo/update', () => ({}));
  await user.click(screen.getByRole('button', { name: 'Actions for the step Explore' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Mark as done' }));
  await host.asked('todo/update');
  expect(host.last('todo/update')).toMatchObject({
    todo: { steps: [{ id: 'a', status: 'pending' }, { id: 'b', status: 'done' }, {}, {}] },
  });
});

it('what a subagent made of a step stands below it', async () => {
  const window = await openTestWindow();
  const inner = [aPlanStep({ id: 'x', parentId: 'b', text: 'Search', status: 'done', validation: '7 hits' })];
  renderIn(window, <PlanCard item={anItem('plan', { steps })} now={steps} inner={inner} stage="works" />);
  expect(screen.getAllByRole('listitem')[1]?.textContent).toBe('2ExploreSubagent explorerSearch7 hits');
});

it('says what proves a step, and that a claim without proof is unproved', async () => {
  const check = { kind: 'file_exists', path: 'notes.md' } as const;
  const { rows } = await show([
    { status: 'done', check, evidence: { text: 'exit 0', at: noon } },
    { status: 'done', check },
    { status: 'done', validation: 'the readme says so' },
  ]);
  expect(rows()[0]).toMatch(/exit 0$/);
  expect(rows()[1]).toMatch(/unproved$/);
  expect(rows()[2]).toMatch(/the readme says so$/);
});

it('folds to the step in work while a question is open, and says that it waits when it is opened', async () => {
  const { user, rows } = await show([{ status: 'in_progress' }], 'asks');
  const head = screen.getByRole('button', { name: /^Plan 0 of 4/ });
  expect(head.getAttribute('aria-expanded')).toBe('false');
  await user.click(head);
  expect(rows()[0]).toMatch(/waits for you$/);
});

it('counts its steps and folds to its head when the turn is over', async () => {
  const { user } = await show([{ status: 'done' }], 'over');
  const head = screen.getByRole('button', { name: /^Plan 1 of 4/ });
  expect(head.getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryAllByRole('listitem')).toHaveLength(0);
  await user.click(head);
  expect(screen.getAllByRole('listitem')).toHaveLength(4);
});

it('keeps how it came about behind a line', async () => {
  const { user } = await show([]);
  expect(screen.queryByText('Rare, so time.')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Analysis and review' }));
  expect(screen.getByText('Rare, so time.')).toBeTruthy();
  expect(screen.getByText('Run it often.')).toBeTruthy();
});

it('of a list that was replaced says so instead of guessing', async () => {
  const window = await openTestWindow();
  renderIn(window, <PlanCard item={anItem('plan', { steps })} now={[null, null, null, null]} stage="over" />);
  expect(screen.getByText('4 steps, replaced by a later list')).toBeTruthy();
});

it('a plan that came to nothing says why, and counts no steps (audit-A5)', async () => {
  const window = await openTestWindow();
  const problem = 'The model only thought and wrote no plan, so the work began without one.';
  const item = anItem('plan', { steps: [], problem });
  renderIn(window, <PlanCard item={item} now={[]} stage="over" />);
  expect(screen.getByText(problem)).toBeTruthy();
  expect(screen.getByText('no plan was made')).toBeTruthy();
  expect(screen.queryByText(/0 of 0|replaced/)).toBeNull();
});

it('a plan shows its lines while it is written, before it has a step (audit-A12)', async () => {
  const window = await openTestWindow();
  const item = anItem('plan', { steps: [], text: '**Steps:**\n1. Look\n', completedAt: null });
  renderIn(window, <PlanCard item={item} now={[]} stage="works" />);
  expect(screen.getByText('being written')).toBeTruthy();
  expect(screen.getByText(/1\. Look/)).toBeTruthy();
  expect(screen.queryByText(/0 of 0|replaced/)).toBeNull();
});

it('the steps of a scope are called steps, tick like a plan, and name nobody who does them', async () => {
  const window = await openTestWindow();
  const now = steps.map((step, index) => ({ ...step, status: index === 0 ? 'done' : step.status }) as const);
  const item = anItem('plan', { source: 'host', steps, text: '' });
  renderIn(window, <PlanCard item={item} now={now} stage="works" />);
  expect(screen.getByRole('group', { name: 'Steps' }).textContent).toContain('1 of 4');
  expect(screen.queryByText('Plan')).toBeNull();
  expect(screen.queryByText(/TOOL|AGENT|SELF/)).toBeNull();
  expect(screen.queryByText('Subagent explorer')).toBeNull();
});
