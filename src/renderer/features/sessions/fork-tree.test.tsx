import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../protocol/model.ts';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { familyOf, type ForkNode } from './fork-family.ts';
import { Sessions } from './sessions.tsx';

const fork = (id: string, forkedFrom: string, createdAt: number): SessionSummary =>
  aSession({ id, title: `Title ${id}`, forkedFrom, createdAt });
const names = ({ id, session, forks }: ForkNode): unknown => [session ? id : null, ...forks.map(names)];

it('a family of forks is the same from each of its sessions, and keeps a place for one that was deleted', () => {
  const all = [fork('c', 'b', 3), fork('b2', 'gone', 2), fork('b', 'gone', 1), aSession({ id: 'other' })];
  const family = [null, ['b', ['c']], ['b2']];
  for (const id of ['b', 'b2', 'c']) expect(names(familyOf(all, id))).toEqual(family);
  expect(names(familyOf(all, 'other'))).toEqual(['other']);
});

it('sessions that name each other as their origin are a family without end to no one', () => {
  expect(names(familyOf([fork('a', 'b', 1), fork('b', 'a', 2)], 'a'))).toEqual(['b', ['a']]);
});

it('the forks of a session are shown from its menu, and one of them opens by a key', async () => {
  const window = await openTestWindow();
  const user = userEvent.setup();
  window.stores.host.setState({
    defaults: { profileId: 'developer', workspace: '/w' },
    sessions: [
      aSession({ id: 'a', title: 'Title a' }),
      fork('b', 'a', 2),
      aSession({ id: 'x', title: 'Alone' }),
    ],
  });
  renderIn(window, <Sessions rail={false} />);
  await user.click(screen.getByRole('button', { name: 'Actions for Alone' }));
  await screen.findByRole('menuitem', { name: 'Archive' });
  expect(screen.queryByRole('menuitem', { name: 'Show forks' })).toBeNull();
  await user.keyboard('{Escape}');
  await user.click(screen.getByRole('button', { name: 'Actions for Title b' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Show forks' }));
  const dialog = await screen.findByRole('dialog', { name: 'Forks' });
  expect(
    within(dialog)
      .getByRole('button', { name: /^Title b/ })
      .getAttribute('aria-current'),
  ).toBe('true');
  within(dialog)
    .getByRole('button', { name: /^Title a/ })
    .focus();
  await user.keyboard('{Enter}');
  expect(window.stores.ui.getState().openSessionId).toBe('a');
});
