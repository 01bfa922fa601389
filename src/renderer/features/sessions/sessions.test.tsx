import { act, cleanup, fireEvent, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { AndironError } from '../../../protocol/errors.ts';
import type { SessionStatus } from '../../../protocol/model.ts';
import { aSession } from '../../testing/fixtures.ts';
import { takeImports } from '../../testing/uploads.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { searchSessions, whenText } from './group-words.ts';
import { Sessions } from './sessions.tsx';

const noon = new Date(2026, 10, 20, 12, 0).getTime();
const day = 86_400_000;

describe('sessions in a list', () => {
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

const manySessions = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    aSession({ id: `many${at}`, title: `Session ${at}`, updatedAt: Date.now() - at * 3_600_000 }),
  );

const row = (name: RegExp): HTMLElement => screen.getByRole('button', { name });

const said = (): string =>
  screen
    .getAllByRole('status')
    .map((status) => status.textContent)
    .join('');

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
    await user.click(await screen.findByRole('menuitem', { name: 'Summarise now' }));
    await host.asked('session/compact');
    expect(host.last('session/compact')).toEqual({ sessionId: 'b' });
  });

  it('says why a session keeps its folder, and forks it into another one', async () => {
    const { user, host, stores } = await openList();
    act(() =>
      stores.host.setState(({ sessions }) => ({
        sessions: [...sessions, aSession({ id: 'c', title: 'Oven', workspace: '/home/ada/oven' })],
      })),
    );
    let refuse = true;
    host.answer('session/fork', () =>
      refuse ? new Error('There is no such folder.') : { session: aSession({ id: 'copy' }) },
    );
    await user.click(screen.getByRole('button', { name: 'Actions for Retry policy' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Fork into another folder…' }));
    const dialog = await screen.findByRole('dialog', { name: 'Fork “Retry policy” into another folder' });
    expect(within(dialog).getByText(/A session keeps its folder/)).toBeTruthy();
    const path = within(dialog).getByRole<HTMLInputElement>('combobox', { name: 'Folder of the fork' });
    expect(path.value).toBe('/home/ada/oven');
    await user.clear(path);
    await user.type(path, '/elsewhere{Enter}');
    await host.asked('session/fork');
    expect(host.last('session/fork')).toEqual({ sessionId: 'b', workspace: '/elsewhere' });
    // What was refused can be mended.
    refuse = false;
    await user.click(await within(dialog).findByRole('button', { name: 'Fork session' }));
    await expect.poll(() => stores.ui.getState().openSessionId).toBe('copy');
    await expect.poll(() => screen.queryByRole('dialog')).toBeNull();
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

  it('does not say that nothing matches where not everything was looked at', async () => {
    const { user, host } = await openList();
    host.answer('session/search', () => ({ hits: [], complete: false }));
    await user.type(screen.getByRole('searchbox'), 'needle');
    expect(await screen.findByText(/^No match for .* so far/)).toBeTruthy();
    expect(screen.queryByText(/Nothing matches/)).toBeNull();
  });

  it('does not search for ever where the host does not answer, and asks again once it is there', async () => {
    const { user, host, stores } = await openList();
    host.answer('session/search', () => new AndironError('disconnected', 'Andiron is away.'));
    await user.type(screen.getByRole('searchbox'), 'needle');
    expect(await screen.findByText(/^No match for .* so far/)).toBeTruthy();
    host.answer('session/search', () => nothing);
    act(() => stores.host.setState({ connection: 'connecting' }));
    act(() => stores.host.setState({ connection: 'live' }));
    expect(await screen.findByText(/Nothing matches/)).toBeTruthy();
  });

  it('has one search with the list that is shown over the transcript', async () => {
    const { user, host, commands } = await openList();
    host.answer('session/search', () => nothing);
    await user.type(screen.getByRole('searchbox'), 'needle');
    await act(() => commands.run('session/find', { query: '' }));
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
    expect(row(/^Flaky/)).toBeTruthy();
  });

  it('hands the keyboard to its search when the last of it goes', async () => {
    const { user, host, stores, list } = await openList();
    host.answer('session/delete', () => ({}));
    act(() => stores.host.setState({ sessions: manySessions(2) }));
    act(() => stores.ui.setState({ openSessionId: null }));
    within(list).getAllByRole('button').at(-2)?.focus();
    await user.keyboard('{Control>}a{/Control}{Delete}');
    await host.asked('session/delete');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  });

  it('does not select again what was deleted and came back', async () => {
    const { user, stores, list } = await openList();
    act(() => stores.host.setState({ sessions: manySessions(3) }));
    within(list).getAllByRole('button').at(-2)?.focus();
    await user.keyboard('{Control>}a{/Control}');
    expect(screen.getByText('3 selected', { selector: 'fieldset *' })).toBeTruthy();
    act(() => stores.host.setState({ sessions: [] }));
    act(() => stores.host.setState({ sessions: manySessions(3) }));
    expect(screen.queryByText('3 selected')).toBeNull();
  });

  it('clears the search with a press, and goes on in its field', async () => {
    const { user, host, stores } = await openList();
    host.answer('session/search', () => nothing);
    expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull();
    await user.type(screen.getByRole('searchbox'), 'retry');
    await user.click(screen.getByRole('button', { name: 'Clear search' }));
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    expect(stores.ui.getState().search).toEqual({ query: '', found: null });
  });

  it('finds what was said, and opens the session there', async () => {
    const { user, host, stores } = await openList();
    const hit = { sessionId: 'b', title: 'Retry policy', turnId: 't1', by: 'model' as const, at: 1 };
    host.answer('session/search', () => ({
      hits: [
        { ...hit, itemId: null, snippet: 'Retry policy' },
        { ...hit, itemId: 'i7', snippet: 'the Backoff doubles' },
      ],
      complete: false,
    }));
    await user.type(screen.getByRole('searchbox'), 'backoff');
    expect((await screen.findByText('Backoff')).tagName).toBe('MARK');
    expect(screen.getByText(/There is more/)).toBeTruthy();
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}');
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

  it('goes from the first row to the last and back, and a letter begins a search', async () => {
    const { user, host } = await openList();
    host.answer('session/search', () => nothing);
    row(/^Flaky/).focus();
    await user.keyboard('{End}');
    expect(document.activeElement).toBe(row(/^Retry policy/));
    await user.keyboard('{Home}{ArrowUp}');
    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
    row(/^Flaky/).focus();
    await user.keyboard('re');
    expect(screen.getByRole<HTMLInputElement>('searchbox').value).toBe('re');
    expect(screen.queryByRole('button', { name: /^Flaky/ })).toBeNull();
  });

  it('is one stop on the way of Tab, however long it is', async () => {
    const { user, stores, list } = await openList();
    act(() => stores.host.setState({ sessions: manySessions(200) }));
    screen.getByRole('button', { name: 'Group and filter' }).focus();
    await user.tab();
    expect(list.contains(document.activeElement)).toBe(true);
    await user.tab();
    await user.tab();
    expect(list.contains(document.activeElement)).toBe(false);
  });

  it('holds 2,000 sessions with only those in view in the page, and the keyboard reaches the last', async () => {
    const { user, stores, list } = await openList();
    act(() => stores.host.setState({ sessions: manySessions(2000) }));
    expect(within(list).getAllByRole('listitem').length).toBeLessThan(80);
    within(list).getAllByRole('button')[0]?.focus();
    await user.keyboard('{End}');
    expect(document.activeElement?.textContent).toContain('Session 1999');
    expect(document.activeElement?.closest('li')?.getAttribute('aria-posinset')).toBe('2000');
  });

  it('marks what ended while another session was open, and says so', async () => {
    const { stores } = await openList();
    act(() => stores.ui.setState({ attention: { working: [], unread: ['b'] } }));
    expect(row(/^Retry policy done/)).toBeTruthy();
  });

  it('opens the menu of a row with the context menu key', async () => {
    await openList();
    fireEvent.contextMenu(row(/^Retry policy/));
    expect(await screen.findByRole('menuitem', { name: 'New session in this folder' })).toBeTruthy();
  });

  it('deletes several at once after one question, and offers them back together', async () => {
    const { user, host, stores } = await openList();
    row(/^Flaky/).focus();
    await user.keyboard('{Shift>}{ArrowDown}{/Shift}');
    expect(screen.getByRole('group', { name: 'Selected sessions' }).textContent).toContain('2 selected');
    expect(row(/^Retry policy .* selected/)).toBeTruthy();
    await user.keyboard('{Delete}');
    await user.click(await screen.findByRole('button', { name: 'Delete 2 sessions' }));
    await host.asked('session/delete', 2);
    expect(stores.ui.getState().notices).toMatchObject([
      { message: '2 sessions deleted', restores: ['a', 'b'] },
    ]);
  });

  it('selects with Ctrl and with Shift, opens nothing meanwhile, and lets go with Escape', async () => {
    const { user, stores } = await openList();
    await user.keyboard('{Control>}');
    await user.click(row(/^Retry policy/));
    await user.keyboard('{/Control}');
    expect(stores.ui.getState().openSessionId).toBe('a');
    expect(screen.getByRole('group', { name: 'Selected sessions' })).toBeTruthy();
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('group', { name: 'Selected sessions' })).toBeNull();
  });

  it('exports several as one file that can be taken in again', async () => {
    const { user, host, files } = await openList();
    host.answer('session/export', ({ sessionId }: { sessionId: string }) => ({
      snapshot: { id: sessionId },
    }));
    row(/^Flaky/).focus();
    await user.keyboard('{Control>}a{/Control}');
    await user.click(screen.getByRole('button', { name: 'Export the selected sessions' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Export' }));
    await host.asked('session/export', 2);
    expect(files.saved.map(({ name, content }) => [name, JSON.parse(content)])).toEqual([
      ['andiron-sessions.json', [{ id: 'a' }, { id: 'b' }]],
    ]);
  });

  it('takes in files that are dropped on it, and says beside it which could not be', async () => {
    const { host } = await openList();
    takeImports(host, (content) =>
      content === 'broken' ? new Error('It is not an exported session.') : { sessions: ['x', 'y'] },
    );
    const files = [new File(['[{"id":"x"},{"id":"y"}]'], 'two.json'), new File(['broken'], 'photo.json')];
    fireEvent.drop(screen.getByRole('navigation', { name: 'Sessions' }), {
      dataTransfer: { types: ['Files'], files },
    });
    await host.asked('session/import-upload', 2);
    expect(await screen.findByText('photo.json could not be imported')).toBeTruthy();
    expect(screen.getByText('It is not an exported session.')).toBeTruthy();
  });

  it('shows one folder where there are several, and begins the next session there', async () => {
    const { user, stores, commands } = await openList();
    act(() =>
      stores.host.setState(({ sessions }) => ({
        sessions: [...sessions, aSession({ id: 'c', title: 'Shopping', workspace: '/home/ada/notes' })],
      })),
    );
    await user.click(screen.getByRole('button', { name: 'Group and filter' }));
    await user.click(await screen.findByRole('menuitemradio', { name: /^notes/ }));
    expect(screen.queryByRole('button', { name: /^Retry policy/ })).toBeNull();
    expect(row(/^Shopping/)).toBeTruthy();
    await act(() => commands.run('session/new'));
    expect(stores.ui.getState().newSession).toEqual({ workspace: '/home/ada/notes' });
    await user.click(screen.getByRole('button', { name: 'Show all sessions' }));
    expect(row(/^Retry policy/)).toBeTruthy();
  });

  it('keeps on its rail what is unread, pinned or at work', async () => {
    const { stores } = await openList();
    cleanup();
    stores.ui.setState({ attention: { working: [], unread: ['b'] }, openSessionId: null });
    const window = await openTestWindow();
    window.stores.host.setState(stores.host.getState());
    window.stores.ui.setState(stores.ui.getState());
    renderIn(window, <Sessions rail />);
    expect(screen.getAllByRole('listitem')).toHaveLength(3);
  });

  it('finds only in the folder that is shown, and leads out of it', async () => {
    const { user, host, stores } = await openList();
    const hit = {
      title: 'Retry policy',
      turnId: 't1',
      by: 'model' as const,
      at: 1,
      itemId: 'i7',
      snippet: 'the backoff doubles',
    };
    host.answer('session/search', () => ({ hits: [{ ...hit, sessionId: 'b' }], complete: true }));
    act(() =>
      stores.host.setState(({ sessions }) => ({
        sessions: [...sessions, aSession({ id: 'c', title: 'Shopping', workspace: '/home/ada/notes' })],
      })),
    );
    act(() => stores.ui.setState({ folder: '/home/ada/notes' }));
    await user.type(screen.getByRole('searchbox'), 'backoff');
    expect(await screen.findByText(/Nothing matches/)).toBeTruthy();
    const [, wider] = screen.getAllByRole('button', { name: 'Show all sessions' });
    await user.click(wider as HTMLElement);
    expect(await screen.findByText('backoff', { selector: 'mark' })).toBeTruthy();
  });

  it('reads out which session behind the open one asks or has ended, once, and nothing else', async () => {
    const { stores } = await openList();
    const tell = (status: SessionStatus) =>
      act(() =>
        stores.host.setState(({ sessions }) => ({
          sessions: sessions.map((session) => (session.id === 'b' ? { ...session, status } : session)),
        })),
      );
    tell('running');
    expect(said()).toBe('');
    tell('asking');
    expect(said()).toBe('Retry policy asks');
    act(() => stores.ui.setState({ attention: { working: [], unread: ['b'] } }));
    tell('idle');
    expect(said()).toBe('Retry policy done');
    act(() => stores.ui.setState({ openSessionId: 'b', attention: { working: [], unread: [] } }));
    expect(said()).toBe('');
  });
});
