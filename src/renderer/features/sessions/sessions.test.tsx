import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { groupSessions, searchSessions, whenText } from './group-sessions.ts';
import { Sessions } from './sessions.tsx';

const noon = new Date(2026, 10, 20, 12, 0).getTime();
const day = 86_400_000;

const at = (id: string, updatedAt: number, pinned = false) => aSession({ id, updatedAt, pinned });

describe('groups of sessions', () => {
  it('are pinned, today, yesterday, the week and before, newest first', () => {
    const groups = groupSessions(
      [
        at('old', noon - 30 * day),
        at('early', noon - 11 * 3_600_000),
        at('now', noon),
        at('late yesterday', noon - 13 * 3_600_000),
        at('week', noon - 6 * day),
        at('pin', noon - 90 * day, true),
      ],
      noon,
    );
    expect(groups.map((group) => [group.key, group.sessions.map((session) => session.id)])).toEqual([
      ['pinned', ['pin']],
      ['today', ['now', 'early']],
      ['yesterday', ['late yesterday']],
      ['week', ['week']],
      ['older', ['old']],
    ]);
  });

  it('say when in the shortest words that are clear', () => {
    expect(whenText(aSession({ updatedAt: noon - 3 * 3_600_000 }), noon)).toBe('09:00');
    expect(whenText(aSession({ updatedAt: noon - 3 * day }), noon)).toBe('Tue');
    expect(whenText(aSession({ updatedAt: noon - 30 * day }), noon)).toBe('21 Oct');
    expect(whenText(aSession({ updatedAt: noon - 5 * day, pinned: true }), noon)).toBe('5 d');
  });

  it('are searched for every word, in title and folder', () => {
    const sessions = [aSession({ id: 'a' }), aSession({ id: 'b', title: 'Lease notes', workspace: '/x' })];
    expect(searchSessions(sessions, 'KILN lease').map((session) => session.id)).toEqual(['a']);
    expect(searchSessions(sessions, 'kiln notes')).toEqual([]);
  });
});

async function openList() {
  const window = await openTestWindow();
  window.host.answer('session/update', () => ({ session: aSession() })).answer('session/delete', () => ({}));
  window.stores.host.setState({
    defaults: { profileId: 'developer', workspace: '/w' },
    sessions: [
      aSession({ id: 'a', title: 'Flaky lease test', status: 'running', updatedAt: Date.now() }),
      aSession({ id: 'b', title: 'Retry policy', updatedAt: Date.now() - 1000 }),
    ],
  });
  window.stores.ui.setState({ openSessionId: 'a' });
  renderIn(window, <Sessions rail={false} />);
  return { ...window, user: userEvent.setup(), list: screen.getByRole('list', { name: 'Sessions' }) };
}

const row = (name: RegExp): HTMLElement => screen.getByRole('button', { name });

describe('the list of sessions', () => {
  it('shows the open one and what each of them does', async () => {
    const { list } = await openList();
    expect(
      within(list)
        .getByRole('button', { name: /^Flaky lease test running/ })
        .getAttribute('aria-current'),
    ).toBe('page');
  });

  it('opens, renames, pins and deletes by keyboard alone', async () => {
    const { user, host, stores } = await openList();
    screen.getByRole('searchbox').focus();
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
    expect(stores.ui.getState().openSessionId).toBe('b');

    row(/^Retry policy/).focus();
    await user.keyboard('{F2}');
    const field = screen.getByRole('textbox', { name: 'Session title' });
    await user.clear(field);
    await user.type(field, 'Backoff{Enter}');
    await host.asked('session/update');
    expect(host.last('session/update')).toEqual({ sessionId: 'b', title: 'Backoff' });

    row(/^Retry policy/).focus();
    await user.keyboard('p');
    await host.asked('session/update', 2);
    expect(host.last('session/update')).toEqual({ sessionId: 'b', pinned: true });

    row(/^Retry policy/).focus();
    await user.keyboard('{Delete}');
    await host.asked('session/delete');
    expect(host.last('session/delete')).toEqual({ sessionId: 'b' });
  });

  it('asks before it deletes a session that works', async () => {
    const { user, host } = await openList();
    row(/^Flaky lease test/).focus();
    await user.keyboard('{Delete}');
    await user.click(await screen.findByRole('button', { name: 'Keep session' }));
    expect(host.count('session/delete')).toBe(0);
    row(/^Flaky lease test/).focus();
    await user.keyboard('{Delete}');
    await user.click(await screen.findByRole('button', { name: 'Delete session' }));
    await host.asked('session/delete');
    expect(host.last('session/delete')).toEqual({ sessionId: 'a' });
  });

  it('offers to fork, compact, reset and export, and nothing that must wait while a turn runs', async () => {
    const { user, host } = await openList();
    host.answer('session/compact', () => ({ turnId: 't1' }));
    await user.click(screen.getByRole('button', { name: 'Actions for Flaky lease test' }));
    const reset = await screen.findByRole('menuitem', { name: 'Reset context' });
    expect(reset.getAttribute('aria-disabled')).toBe('true');
    await user.keyboard('{Escape}');
    await user.click(screen.getByRole('button', { name: 'Actions for Retry policy' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Compact now' }));
    await host.asked('session/compact');
    expect(host.last('session/compact')).toEqual({ sessionId: 'b' });
  });

  it('leaves a title as it was with Escape', async () => {
    const { user, host } = await openList();
    row(/^Retry policy/).focus();
    await user.keyboard('{F2}x{Escape}');
    expect(host.count('session/update')).toBe(0);
    expect(row(/^Retry policy/)).toBeTruthy();
  });

  const nothing = { hits: [], complete: true };

  it('finds by title, says when nothing is found, and clears with Escape', async () => {
    const { user, host } = await openList();
    host.answer('session/search', () => nothing);
    await user.type(screen.getByRole('searchbox'), 'retry');
    expect(screen.queryByRole('button', { name: /^Flaky/ })).toBeNull();
    await user.type(screen.getByRole('searchbox'), 'x');
    expect(await screen.findByText(/Nothing matches/)).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(row(/^Flaky/)).toBeTruthy();
  });

  it('finds what was said, and opens the session there', async () => {
    const { user, host, stores } = await openList();
    const hit = { sessionId: 'b', title: 'Retry policy', turnId: 't1', at: 1 };
    host.answer('session/search', () => ({
      hits: [
        { ...hit, itemId: null, snippet: 'Retry policy' },
        { ...hit, itemId: 'i7', snippet: 'the backoff doubles' },
      ],
      complete: false,
    }));
    await user.type(screen.getByRole('searchbox'), 'backoff');
    const found = await screen.findByRole('list', { name: 'In messages' });
    expect(within(found).getAllByRole('button')).toHaveLength(1);
    expect(screen.getByText(/There is more/)).toBeTruthy();
    await user.keyboard('{ArrowDown}{Enter}');
    expect(stores.ui.getState()).toMatchObject({
      openSessionId: 'b',
      jump: { sessionId: 'b', itemId: 'i7' },
    });
  });

  it('shows a session that has no message yet', async () => {
    const { stores, list } = await openList();
    act(() => stores.ui.setState({ openSessionId: null }));
    expect(within(list).getByRole('button', { name: /^New session new/ })).toBeTruthy();
  });
});
