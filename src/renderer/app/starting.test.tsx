import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { anEngine } from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { longStartMs, Starting } from './starting.tsx';
import { TitleBar } from './title-bar.tsx';

const heading = (): string | null => screen.getByRole('heading', { level: 1 }).textContent;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const rows = (): string[] => screen.getAllByRole('listitem').map((row) => row.textContent);

it('says what a start waits for and what is there', async () => {
  const window = await openTestWindow();
  const { stores } = window;
  stores.host.setState({ connection: 'connecting', connectionSince: Date.now() });
  renderIn(window, <Starting />);
  expect(rows()).toEqual(['Agent hoststarting', 'Sessions and profileswaiting', 'Enginewaiting']);
  act(() => {
    stores.host.setState({ connection: 'live' });
    stores.engine.setState({ connection: 'live', engine: anEngine() });
  });
  expect(rows()).toEqual(['Agent hostready', 'Sessions and profilesstarting', 'Engineready']);
});

it('offers a way on only when it takes long', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'connecting', connectionSince: Date.now() });
  renderIn(window, <Starting />);
  act(() => void vi.advanceTimersByTime(longStartMs - 1));
  expect(screen.queryByRole('button')).toBeNull();
  act(() => void vi.advanceTimersByTime(1));
  expect(screen.getByRole('button', { name: 'Try now' })).toBeDefined();
});

it('does not claim to start where the window is not signed in', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'refused', connectionSince: Date.now() });
  renderIn(window, <Starting />);
  expect(screen.getByRole('status').textContent).toContain('This window is not signed in');
  expect(screen.queryByText('Andiron is starting')).toBeNull();
});

it('calls nothing a new session before it is known to be one', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ defaults: null });
  window.stores.ui.setState({ openSessionId: 's1' });
  renderIn(window, <TitleBar desktop={null} />);
  expect([heading(), document.title]).toEqual(['Starting', 'Starting - Andiron']);
  act(() =>
    window.stores.host.setState({ sessions: [], defaults: { profileId: 'developer', workspace: '/w' } }),
  );
  act(() => window.stores.ui.setState({ openSessionId: null }));
  expect(heading()).toBe('New session');
});
