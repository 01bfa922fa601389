import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { Item, PlanStep, Turn } from '../../../protocol/model.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { aPlanStep, anAgent, anItem, aSnapshot, aTurn, aUsage, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Details } from './details.tsx';

async function show(steps: PlanStep[], turn: Partial<Turn> = {}, more: Item[] = []) {
  const window = await openTestWindow();
  const state = aSnapshot({
    turns: [aTurn(turn)],
    items: [anItem('tool', { agent: anAgent() }), ...more],
    todo: { steps },
  });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, state);
  window.host.answer('todo/update', () => ({}));
  renderIn(window, <Details />);
  return { ...window, state, user: userEvent.setup() };
}

const look = aPlanStep({ id: 'a', text: 'Look', status: 'done', evidence: { text: 'exit 0', at: noon } });
const explore = aPlanStep({
  id: 'b',
  text: 'Explore',
  status: 'in_progress',
  executor: { kind: 'agent', profileId: 'explorer' },
});
const child = aPlanStep({ id: 'c', text: 'Search', parentId: 'b', status: 'done', validation: '7 hits' });

it('lists the steps with their proof, and below a step what a subagent made of it', async () => {
  await show([look, explore, child]);
  const [first, second] = screen.getAllByRole('listitem');
  expect(first?.textContent).toBe('Lookexit 0');
  expect(second?.textContent).toContain('workingSubagent explorer');
  expect(within(second ?? document.body).getByRole('listitem').textContent).toBe('Search7 hits');
  expect(screen.getByRole('heading', { name: 'Plan 1 of 2' })).toBeTruthy();
});

it('follows the list as it changes', async () => {
  const { stores, state } = await show([look, explore]);
  act(() =>
    applySessionSnapshot(stores.session, {
      ...state,
      todo: { steps: [look, { ...explore, status: 'done', evidence: { text: 'exists', at: noon } }] },
    }),
  );
  expect(screen.getByRole('heading', { name: 'Plan 2 of 2' })).toBeTruthy();
});

it('a plan that its card shows is not listed a second time, but for the step in work (audit-U10)', async () => {
  const next = aPlanStep({ id: 'd', text: 'Answer' });
  await show([look, { ...explore, status: 'pending' }, next], {}, [
    anItem('plan', { steps: [look, explore, next] }),
  ]);
  expect(screen.getByRole('heading', { name: 'Plan 1 of 3' })).toBeTruthy();
  const column = screen.getByRole('region', { name: 'Plan 1 of 3' });
  expect(within(column).getAllByRole('listitem')).toHaveLength(1);
  expect(within(column).getByRole('listitem').textContent).toContain('Explore');
});

it('a plan of a turn that is over stands in its card alone (audit-U10)', async () => {
  const over = { status: 'finished', phase: null, endedAt: noon } as const;
  await show([look, explore], over, [anItem('plan', { steps: [look, explore] })]);
  expect(screen.queryByRole('heading', { name: /^Plan/ })).toBeNull();
});

it('lets the person tick, and take a step out with what belongs to it', async () => {
  const { user, host } = await show([look, explore, child]);
  const menu = async (item: string): Promise<void> => {
    await user.click(screen.getByRole('button', { name: 'Actions for the step Explore' }));
    await user.click(await screen.findByRole('menuitem', { name: item }));
  };
  await menu('Mark as done');
  await host.asked('todo/update');
  expect(host.last('todo/update')).toMatchObject({
    sessionId: 's1',
    todo: { steps: [look, { id: 'b', status: 'done', validation: 'ticked by you' }, child] },
  });
  await menu('Remove from the list');
  await host.asked('todo/update', 2);
  expect(host.last('todo/update')).toEqual({ sessionId: 's1', todo: { steps: [look] } });
});

it('lists the subagents of the turn, and their requests as theirs', async () => {
  await show([], { usage: [aUsage(), aUsage({ requestId: 'r2', parentCallId: 'c1', iteration: 0 })] });
  expect(screen.getByRole('heading', { name: 'Subagents 1 running' })).toBeTruthy();
  expect(screen.getByText(/^4 calls, 3,180 tokens/)).toBeTruthy();
  expect(screen.getByRole('rowheader', { name: '2. Subagent' })).toBeTruthy();
});
