import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { addNews, addNotice } from '../stores/ui-store.ts';
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
  act(() => addNews(window.stores.ui, '“Lease” deleted', { restores: 's1' }));
  act(() => screen.getByRole('button', { name: 'Undo' }).click());
  await window.host.asked('session/restore');
  expect(window.host.last('session/restore')).toEqual({ sessionId: 's1' });
});
