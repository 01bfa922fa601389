import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Sessions } from './sessions.tsx';

const open = (title: string): HTMLElement =>
  within(screen.getByRole('list', { name: 'Sessions' })).getByRole('button', {
    name: new RegExp(`^${title}`),
  });

async function openList() {
  const window = await openTestWindow();
  window.host.answer('session/delete', () => ({}));
  const now = Date.now();
  const titles = ['First', 'Second', 'Third'];
  window.stores.host.setState({
    defaults: { profileId: 'developer', workspace: '/w' },
    sessions: titles.map((title, at) => aSession({ id: title, title, updatedAt: now - at * 1000 })),
  });
  renderIn(window, <Sessions rail={false} />);
  return { ...window, user: userEvent.setup() };
}

it('gives the keyboard to the next session when one is deleted from its menu', async () => {
  const { user, host, stores } = await openList();
  open('Second').focus();
  screen.getByRole('button', { name: 'Actions for Second' }).focus();
  await user.keyboard('{Enter}');
  await screen.findByRole('menuitem', { name: 'Pin' });
  await user.keyboard('{End}{Enter}');
  await host.asked('session/delete');
  act(() =>
    stores.host.setState(({ sessions }) => ({ sessions: sessions.filter(({ id }) => id !== 'Second') })),
  );
  expect(document.activeElement).toBe(open('Third'));
});

it('gives the keyboard back to the list when the bar of the selected ones lets go', async () => {
  const { user } = await openList();
  open('First').focus();
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  screen.getByRole('button', { name: 'Clear selection' }).focus();
  await user.keyboard('{Enter}');
  expect(screen.queryByRole('group', { name: 'Selected sessions' })).toBeNull();
  expect(document.activeElement).toBe(open('Second'));
});

it('keeps the keyboard in the list when the bar deletes what is selected', async () => {
  const { user, host } = await openList();
  open('First').focus();
  await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
  screen.getByRole('button', { name: 'Delete the selected sessions' }).focus();
  await user.keyboard('{Enter}');
  await host.asked('session/delete', 2);
  expect(document.activeElement).toBe(open('Third'));
});
