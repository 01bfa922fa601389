import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { anItem, aSnapshot, aTurn, inOrder } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { AnswerActions, UserMessage } from './user-message.tsx';

async function show(editable = true) {
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  const turn = aTurn({ status: 'finished', phase: null, text: 'Find out why' });
  applySessionSnapshot(window.stores.session, aSnapshot({ turns: [turn], items: inOrder(anItem('user')) }));
  renderIn(
    window,
    <>
      <UserMessage item={anItem('user')} editable={editable} />
      {editable && <AnswerActions turnId="t1" />}
    </>,
  );
  return { ...window, user: userEvent.setup() };
}

it('is changed in its place, and sent as a new version', async () => {
  const { user, host } = await show();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const field = screen.getByRole('textbox', { name: 'Another version of the message' });
  expect(document.activeElement).toBe(field);
  await user.type(field, ', really{Enter}');
  await host.asked('turn/edit');
  expect(host.last('turn/edit')).toEqual({ sessionId: 's1', turnId: 't1', text: 'Find out why, really' });
});

it('stays as it was with Escape', async () => {
  const { user, host } = await show();
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await user.keyboard('x{Escape}');
  expect(screen.getByText('Find out why')).toBeTruthy();
  expect(host.count('turn/edit')).toBe(0);
});

it('offers nothing while it cannot be changed', async () => {
  await show(false);
  expect(screen.queryByRole('button')).toBeNull();
});

it('asks for the answer once more, or goes on from it elsewhere', async () => {
  const { user, host } = await show();
  await user.click(screen.getByRole('button', { name: 'Regenerate' }));
  await host.asked('turn/regenerate');
  expect(host.last('turn/regenerate')).toEqual({ sessionId: 's1', turnId: 't1' });
  const [fork] = screen.getAllByRole('button', { name: 'Fork from here' });
  if (fork) await user.click(fork);
  await host.asked('session/fork');
  expect(host.last('session/fork')).toEqual({ sessionId: 's1', turnId: 't1' });
});
