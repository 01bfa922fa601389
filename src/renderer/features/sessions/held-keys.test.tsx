/** Keys in the list that come more than once for one press, or belong to an input method. */
import { fireEvent, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { settled } from '../../testing/fake-server.ts';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Sessions } from './sessions.tsx';

async function openList() {
  const window = await openTestWindow();
  const { host, stores } = window;
  host.answer('session/update', () => ({ session: aSession() })).answer('session/delete', () => ({}));
  const ids = ['a', 'b', 'c'];
  stores.host.setState({
    defaults: { profileId: 'developer', workspace: '/w' },
    sessions: ids.map((id) => aSession({ id, title: `Session ${id}` })),
  });
  renderIn(window, <Sessions rail={false} />);
  return { host, user: userEvent.setup(), row: screen.getByRole('button', { name: /^Session b/ }) };
}

it('a key that is held deletes or pins once, however long', async () => {
  const { host, row } = await openList();
  row.focus();
  for (const key of ['Delete', 'p']) fireEvent.keyDown(row, { key, repeat: true });
  fireEvent.keyDown(row, { key: 'Delete' });
  await host.asked('session/delete');
  await settled();
  expect([host.count('session/delete'), host.count('session/update')]).toEqual([1, 0]);
});

it('a title that is written leaves Enter to an input method', async () => {
  const { user, host, row } = await openList();
  row.focus();
  await user.keyboard('{F2}');
  const field = screen.getByRole('textbox', { name: 'Session title' });
  fireEvent.change(field, { target: { value: 'にほ' } });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  fireEvent.keyDown(field, { key: 'Escape', isComposing: true });
  fireEvent.change(field, { target: { value: '日本' } });
  fireEvent.keyDown(field, { key: 'Enter' });
  await host.asked('session/update');
  expect(host.last('session/update')).toMatchObject({ title: '日本' });
});
