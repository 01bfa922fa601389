import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addNews, addNotice } from '../stores/ui-store.ts';
import { settled } from '../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { Notices } from './notices.tsx';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

it('news leaves by itself, what went wrong stays until it was read', async () => {
  const window = await openTestWindow();
  renderIn(window, <Notices />);
  act(() => {
    addNotice(window.stores.ui, 'The disk is full.', 'Make room.');
    addNews(window.stores.ui, 'Done.');
  });
  expect(screen.getByText('Done.')).toBeTruthy();
  act(() => void vi.advanceTimersByTime(12_000));
  expect(screen.queryByText('Done.')).toBeNull();
  expect(screen.getByText('The disk is full.')).toBeTruthy();
});

it('a deletion can be taken back from where it is told', async () => {
  const window = await openTestWindow();
  renderIn(window, <Notices />);
  act(() => addNews(window.stores.ui, '“Lease” deleted', { restores: ['s1'] }));
  act(() => screen.getByRole('button', { name: 'Undo' }).click());
  await window.host.asked('session/restore');
  expect(window.host.last('session/restore')).toEqual({ sessionId: 's1' });
});

it('an undo can be redone from its notice, in its own session (audit-U19)', async () => {
  const window = await openTestWindow();
  const { host, stores } = window;
  renderIn(window, <Notices />);
  host.answer('file/redo', ({ paths = [] }) => ({
    outcomes: paths.map((path) => ({ path, refused: null, detail: '' })),
  }));
  act(() =>
    addNews(stores.ui, 'Undid changes to 2 files.', {
      redoes: { sessionId: 's1', paths: ['a.ts', 'b.ts'] },
    }),
  );
  act(() => screen.getByRole('button', { name: 'Redo' }).click());
  await host.asked('file/redo');
  expect(host.last('file/redo')).toEqual({ sessionId: 's1', paths: ['a.ts', 'b.ts'] });
  await act(settled);
  expect(screen.queryByRole('button', { name: 'Redo' })).toBeNull();
});

it('no news leaves while the pointer or the keyboard is on it, and F8 brings the keyboard there', async () => {
  const window = await openTestWindow();
  renderIn(window, <Notices />);
  act(() => {
    addNews(window.stores.ui, 'One.');
    addNews(window.stores.ui, 'Two.');
  });
  fireEvent.keyDown(document.body, { key: 'F8', code: 'F8' });
  const [first, second] = screen.getAllByRole('button', { name: 'Dismiss' });
  expect(document.activeElement).toBe(first);
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByText('Two.')).toBeTruthy();
  act(() => first?.click());
  expect(screen.queryByText('One.')).toBeNull();
  expect(document.activeElement).toBe(second);
  fireEvent.blur(second as HTMLElement);
  act(() => void vi.advanceTimersByTime(12_000));
  expect(screen.queryByText('Two.')).toBeNull();
});

it('a way back to what was deleted is the last that makes room for others', async () => {
  const { stores } = await openTestWindow();
  addNews(stores.ui, '“Lease” deleted', { restores: ['s1'] });
  for (const message of ['A', 'B', 'C']) addNotice(stores.ui, message, '');
  expect(stores.ui.getState().notices.map(({ message }) => message)).toEqual(['“Lease” deleted', 'B', 'C']);
});

it('there are three at most, and two deletions that read alike each keep their way back', async () => {
  const { stores } = await openTestWindow();
  addNotice(stores.ui, 'A', '');
  addNews(stores.ui, '“Same” deleted', { restores: ['s1'] });
  addNews(stores.ui, '“Same” deleted', { restores: ['s2'] });
  addNotice(stores.ui, 'B', '');
  expect(stores.ui.getState().notices.map(({ message, restores }) => [message, restores])).toEqual([
    ['“Same” deleted', ['s1']],
    ['“Same” deleted', ['s2']],
    ['B', undefined],
  ]);
});
