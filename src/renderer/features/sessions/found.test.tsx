import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { SessionSummary } from '../../../protocol/model.ts';
import { aSession } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Sessions } from './sessions.tsx';
import styles from './sessions.module.css';

const place = { platform: 'telegram', channel: 'c', thread: '', person: 'Ben' };
const hit = (sessionId: string, itemId: string, by: 'person' | 'model') => ({
  sessionId,
  itemId,
  by,
  title: `Title ${sessionId}`,
  snippet: `the backoff in ${itemId}`,
  turnId: 't1',
  at: 1,
});

async function search(...sessions: Partial<SessionSummary>[]) {
  const window = await openTestWindow();
  const hits = [
    hit('b', 'i1', 'person'),
    hit('a', 'i2', 'person'),
    hit('b', 'i3', 'model'),
    hit('b', 'i4', 'model'),
    hit('b', 'i5', 'model'),
  ];
  window.host.answer('session/search', () => ({ hits, complete: true }));
  window.stores.host.setState({
    defaults: { profileId: 'developer', workspace: '/w' },
    sessions: [
      aSession({ id: 'a', title: 'Dinner', place }),
      aSession({ id: 'b', title: 'Retry' }),
      ...sessions.map((each) => aSession(each)),
    ],
  });
  renderIn(window, <Sessions rail={false} />);
  const user = userEvent.setup();
  await user.type(screen.getByRole('searchbox'), 'backoff');
  await screen.findByText(/matches in/, { selector: `.${styles.foundCount}` });
  const list = screen.getByRole('list', { name: 'Sessions' });
  return { ...window, user, list, rows: () => [...list.querySelectorAll('[data-row]')] };
}

it('a search lists each session once, with how often, who said it and the first two places (audit-U7)', async () => {
  const { rows } = await search({ id: 'c', title: 'Backoff notes' });
  expect(rows().map((row) => row.getAttribute('data-row'))).toEqual([
    'c',
    'b',
    'hit:i1',
    'hit:i3',
    'more:b',
    'a',
    'hit:i2',
  ]);
  expect(screen.getByText('6 matches in 3 sessions', { selector: `.${styles.foundCount}` })).toBeTruthy();
  expect(screen.getAllByText('Retry', { selector: `.${styles.sesTitle} *` })).toHaveLength(1);
  const speakers = rows().flatMap(
    (row) => row.querySelector(`.${styles.snippet}`)?.previousElementSibling?.textContent ?? [],
  );
  expect(speakers).toEqual(['You', 'Andiron', 'Ben']);
});

it('a search shows what else was found in a session when asked, and each place opens where it was said', async () => {
  const { user, rows, stores } = await search();
  await user.click(screen.getByRole('button', { name: 'Show 2 more in Retry' }));
  expect(rows().filter((row) => row.classList.contains('hit'))).toHaveLength(5);
  await user.click(within(rows()[4] as HTMLElement).getByRole('button'));
  expect(stores.ui.getState()).toMatchObject({
    openSessionId: 'b',
    jump: { sessionId: 'b', itemId: 'i5' },
  });
});

const focused = (): string | null =>
  document.activeElement?.closest('[data-row]')?.getAttribute('data-row') ?? null;

it('a search is walked from its field to its last place and back by the arrows', async () => {
  const { user, rows } = await search();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(focused()).toBe('hit:i1');
  await user.keyboard('{End}');
  expect(focused()).toBe(rows().at(-1)?.getAttribute('data-row'));
  // Nothing is deleted or renamed by a key that is meant for a session.
  await user.keyboard('{Delete}{F2}');
  expect(screen.queryByRole('textbox')).toBeNull();
  await user.keyboard('{Home}{ArrowUp}');
  expect(document.activeElement).toBe(screen.getByRole('searchbox'));
});

it('a session that was put away is found, and is in no list but its own', async () => {
  const { user, list, stores } = await search({ id: 'c', title: 'Backoff notes', archivedAt: 1 });
  const notes = () => within(list).queryByRole('button', { name: /^Backoff notes.*archived/ });
  expect(notes()).not.toBeNull();
  await user.clear(screen.getByRole('searchbox'));
  expect(notes()).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Group and filter' }));
  await user.click(await screen.findByRole('menuitemradio', { name: /^Archived/ }));
  expect(notes()).not.toBeNull();
  expect(within(list).queryByRole('button', { name: /^Retry/ })).toBeNull();
  act(() => stores.ui.setState({ showsArchived: false }));
  expect(notes()).toBeNull();
});
