import { expect, it } from 'vitest';
import { aSession } from '../testing/fixtures.ts';
import { openTestWindow } from '../testing/window-kit.tsx';

async function opened() {
  const window = await openTestWindow();
  window.host.answer('session/update', ({ sessionId }) =>
    sessionId === 'busy' ? new Error('This session is still working.') : { session: aSession() },
  );
  window.stores.host.setState({ sessions: [aSession({ id: 'a', title: 'A' }), aSession({ id: 'busy' })] });
  window.stores.ui.setState({ openSessionId: 'a' });
  return window;
}

it('a session that is put away leaves the view, and Undo brings it back', async () => {
  const { commands, host, stores } = await opened();
  await commands.run('session/archive', { sessionIds: ['a'], archived: true });
  expect(host.last('session/update')).toEqual({ sessionId: 'a', archived: true });
  const [notice] = stores.ui.getState().notices;
  expect(stores.ui.getState().openSessionId).toBeNull();
  expect(notice).toMatchObject({ message: '“A” archived', unarchives: ['a'] });
  await commands.run('session/archive', { sessionIds: ['a'], archived: false, noticeId: notice?.id ?? 0 });
  expect(host.last('session/update')).toEqual({ sessionId: 'a', archived: false });
  expect(stores.ui.getState().notices.map(({ message }) => message)).toEqual(['“A” is back in the list']);
});

it('one session at work keeps none of the others from being put away, and says why it stays', async () => {
  const { commands, stores } = await opened();
  await commands.run('session/archive', { sessionIds: ['a', 'busy'], archived: true });
  expect(stores.ui.getState().notices.map(({ message }) => message)).toEqual([
    '“A” archived',
    'This session is still working.',
  ]);
});

it('an archived session that is open is brought back by the command for the open one', async () => {
  const { commands, host, stores } = await opened();
  stores.host.setState({ sessions: [aSession({ id: 'a', archivedAt: 1 })] });
  await commands.run('current/archive');
  expect(host.last('session/update')).toEqual({ sessionId: 'a', archived: false });
});
