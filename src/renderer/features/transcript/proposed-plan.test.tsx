import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Turn } from '../../../protocol/model.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { setPlanDraft } from '../../stores/ui-store.ts';
import { anItem, aPlanStep, aProfile, aSession, aSnapshot, aTurn } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ProposedPlan } from './proposed-plan.tsx';

const steps = ['Read it', 'Change it'].map((text, index) =>
  aPlanStep({ id: `step_${String(index + 1)}`, text }),
);
const plan = anItem('plan', { id: 'p1', proposed: true, steps, completedAt: 1 });
const ended: Partial<Turn> = { status: 'finished', phase: null, endedAt: 2, closed: true };
const items = [anItem('user', { id: 'u1', index: 0 }), { ...plan, index: 1 }];

async function show(more: Turn[] = [], busy = false) {
  const window = await openTestWindow();
  const { stores, host } = window;
  stores.ui.setState({ openSessionId: 's1' });
  stores.host.setState({ profiles: [aProfile({ approvals: 'accept_edits' })] });
  resetSession(stores.session, 's1');
  const turns = [aTurn(busy ? {} : ended), ...more];
  const session = aSession({ approvals: 'plan_only', status: busy ? 'running' : 'idle' });
  stores.host.setState({ sessions: [session] });
  act(() => applySessionSnapshot(stores.session, aSnapshot({ session, turns, items })));
  host.answer('session/approve-plan', () => ({ turnId: 't9' }));
  renderIn(window, <ProposedPlan item={plan} />);
  return { ...window, user: userEvent.setup() };
}

const approve = () => screen.getByRole<HTMLButtonElement>('button', { name: /^Carry out the plan/ });

it('is carried out as it stands, in the mode that the profile has', async () => {
  const { user, host, stores } = await show();
  await user.click(approve());
  await host.asked('session/approve-plan');
  expect(host.last('session/approve-plan')).toEqual({
    sessionId: 's1',
    itemId: 'p1',
    steps: [
      { id: 'step_1', text: 'Read it' },
      { id: 'step_2', text: 'Change it' },
    ],
    approvals: 'accept_edits',
  });
  expect(stores.ui.getState().focus.target).toBe('composer');
});

it('is asked for once, however often the button is pressed', async () => {
  const { user, host } = await show();
  await user.dblClick(approve());
  await host.asked('session/approve-plan');
  expect(host.count('session/approve-plan')).toBe(1);
});

it('offers every mode but the one in which nothing is done', async () => {
  const { user } = await show();
  await user.click(screen.getByRole('button', { name: /^Approvals from here on/ }));
  const names = (await screen.findAllByRole('menuitemradio')).map(({ textContent }) => textContent ?? '');
  expect(names.map((name) => /^(Ask every time|Ask before changes|Accept edits)/.exec(name)?.[0])).toEqual([
    'Ask every time',
    'Ask before changes',
    'Accept edits',
  ]);
});

it('waits while the session works, and where no step is left, and says why', async () => {
  await show([], true);
  expect([approve().disabled, approve().title]).toEqual([true, 'The session is still working.']);
});

it('needs a step, and its draft is gone once it carries out the plan', async () => {
  const { user, host, stores } = await show();
  act(() => setPlanDraft(stores.ui, 'p1', [{ key: 'new_1', id: null, text: ' ' }]));
  expect([approve().disabled, approve().title]).toEqual([true, 'Add at least one step.']);
  await user.type(screen.getByRole('textbox', { name: 'Step 1' }), 'Do it');
  await user.click(approve());
  await host.asked('session/approve-plan');
  expect(host.last('session/approve-plan')).toMatchObject({ steps: [{ id: null, text: 'Do it' }] });
  expect(stores.ui.getState().planDrafts).toEqual({});
});

it('takes no line breaks into a step, which is one line', async () => {
  const { user } = await show();
  const field = screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Step 1' });
  await user.clear(field);
  await user.click(field);
  await user.paste('one\ntwo');
  expect(field.value).toBe('one two');
});

it('folds, says that it was approved and can no longer be changed, once another turn carries it out', async () => {
  const { user } = await show([aTurn({ ...ended, id: 't2', plan: { itemId: 'p1', steps } })]);
  expect(screen.queryByRole('textbox')).toBe(null);
  await user.click(screen.getByRole('button', { name: /^Plan approved/ }));
  expect(screen.getByText('Change it')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Carry out/ })).toBe(null);
});

it('takes no more steps than a plan may have, and says so', async () => {
  const { user, stores } = await show();
  const full = Array.from({ length: 30 }, (_, at) => ({ key: `new_${String(at)}`, id: null, text: 'Do it' }));
  act(() => setPlanDraft(stores.ui, 'p1', full));
  const add = screen.getByRole<HTMLButtonElement>('button', { name: 'Add a step' });
  expect([add.disabled, add.title]).toEqual([true, 'A plan has at most 30 steps.']);
  await user.click(screen.getByRole('textbox', { name: 'Step 30' }));
  await user.keyboard('{Enter}');
  expect(screen.getAllByRole('textbox')).toHaveLength(30);
});
