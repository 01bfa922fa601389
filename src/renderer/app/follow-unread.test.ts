import { expect, it } from 'vitest';
import { aSession } from '../testing/fixtures.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { followUnread } from './follow-unread.ts';

it('a session that ends its turn behind another one is unread until it is opened', async () => {
  const { stores } = await openTestWindow();
  stores.host.setState({ defaults: null });
  stores.ui.setState({ openSessionId: 'a', attention: { working: ['c'], unread: [] } });
  followUnread(stores);
  const tell = (b: 'running' | 'idle'): void =>
    stores.host.setState({
      sessions: [aSession({ id: 'a' }), aSession({ id: 'b', status: b }), aSession({ id: 'c' })],
    });
  const unread = () => stores.ui.getState().attention.unread;

  tell('running');
  // Nothing is known of the sessions before the host has said which there are.
  expect(unread()).toEqual([]);
  stores.host.setState({ defaults: { profileId: 'developer', workspace: '/w' } });
  expect(unread()).toEqual(['c']);
  tell('idle');
  expect(unread()).toEqual(['c', 'b']);
  stores.ui.setState({ openSessionId: 'b' });
  expect(unread()).toEqual(['c']);
});
