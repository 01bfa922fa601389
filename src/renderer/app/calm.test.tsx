import { act, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EngineBar } from '../features/engine-bar/engine-bar.tsx';
import { Sessions } from '../features/sessions/sessions.tsx';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../stores/session-store.ts';
import { anEngine, anItem, aProfile, aSession, aSnapshot, aTurn } from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { ColumnEdge, ColumnWidth } from './column-edge.tsx';
import { EngineNotice } from './engine-notice.tsx';
import { Notices } from './notices.tsx';
import { TitleBar } from './title-bar.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 20, 12, 1) }));
afterEach(() => vi.useRealTimers());

/** Everything around the transcript, and how often any of it was drawn since. */
async function watchedFrame(status: 'running' | 'idle') {
  const window = await openTestWindow();
  const { stores } = window;
  stores.host.setState({
    connection: 'live',
    defaults: { profileId: 'developer', workspace: '/w' },
    profiles: [aProfile()],
    sessions: [aSession({ status }), aSession({ id: 's2' })],
  });
  stores.engine.setState({ connection: 'live', engine: anEngine() });
  stores.ui.setState({ openSessionId: 's1' });
  resetSession(stores.session, 's1');
  applySessionSnapshot(
    stores.session,
    aSnapshot({
      session: aSession({ status }),
      turns: status === 'running' ? [aTurn()] : [],
      items: [anItem('text', { text: '', completedAt: null })],
    }),
  );
  let commits = 0;
  renderIn(
    window,
    <Profiler id="frame" onRender={() => void (commits += 1)}>
      <ColumnWidth />
      <TitleBar desktop={null} />
      <Sessions rail={false} />
      <ColumnEdge />
      <EngineNotice />
      <Notices />
      <EngineBar />
    </Profiler>,
  );
  commits = 0;
  return { ...window, commits: () => commits };
}

it('nothing around the transcript is drawn again while an answer streams', async () => {
  const { stores, commits } = await watchedFrame('running');
  for (let piece = 0; piece < 50; piece += 1) {
    const event = { type: 'item/delta' as const, itemId: 'i1', text: 'word ' };
    act(() => applySessionEvents(stores.session, [{ seq: 1, sessionId: 's1', at: 1, turnId: 't1', event }]));
  }
  expect(stores.session.getState().state?.items[0]).toMatchObject({ text: 'word '.repeat(50) });
  expect(commits()).toBe(0);
});

it('of the frame only the clock of the running session moves with time, and nothing when none runs', async () => {
  const running = await watchedFrame('running');
  act(() => void vi.advanceTimersByTime(1000));
  expect(running.commits()).toBe(1);
});

it('a frame in which nothing runs is not drawn again within the day', async () => {
  const { commits } = await watchedFrame('idle');
  const before = document.body.innerHTML;
  act(() => void vi.advanceTimersByTime(10 * 60_000));
  expect(document.body.innerHTML).toBe(before);
  expect(commits()).toBe(0);
});

it('at midnight today becomes yesterday by itself', async () => {
  const { stores } = await watchedFrame('idle');
  act(() => stores.ui.setState({ grouping: 'date' }));
  act(() => stores.host.setState({ sessions: [aSession({ updatedAt: Date.now() })] }));
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Today');
  act(() => void vi.advanceTimersByTime(12 * 3_600_000));
  expect(screen.getByRole('heading', { level: 2 }).textContent).toBe('Yesterday');
});
