import { act } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../stores/session-store.ts';
import {
  aPlanStep,
  anAgent,
  anEngine,
  anItem,
  aSnapshot,
  aTurn,
  aUsage,
  inOrder,
} from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { ContextRing } from '../features/composer/context-ring.tsx';
import { EngineRoom } from '../features/engine-room/engine-room.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 20, 12, 1) }));
afterEach(() => vi.useRealTimers());

/** A turn that has planned, edited, spawned and asked, and now writes. */
async function watchedRoom(status: 'running' | 'finished') {
  const window = await openTestWindow();
  const diff = { kind: 'diff' as const, path: 'src/lease.ts', hunks: [], added: 3, removed: 2 };
  const [edit, agent, text] = inOrder(
    anItem('tool', { display: diff }),
    anItem('tool', { agent: anAgent({ state: 'ended' }) }),
    anItem('text', { text: '', completedAt: status === 'running' ? null : 1 }),
  );
  if (!edit || !agent || !text) throw new Error('There are three items.');
  const state = aSnapshot({
    turns: [aTurn({ usage: [aUsage()], status, endedAt: status === 'running' ? null : Date.now() })],
    items: [edit, agent, text],
    context: { usedTokens: 100, windowTokens: 1000, estimated: false },
    todo: { steps: [aPlanStep()] },
  });
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, state);
  const gpu = {
    name: 'RTX 3090',
    vramTotalBytes: 24,
    vramUsedBytes: 12,
    utilization: 40,
    temperatureC: null,
    powerW: null,
    at: Date.now(),
  };
  window.stores.engine.setState({ engine: anEngine({ gpus: [gpu] }) });
  let commits = 0;
  renderIn(
    window,
    <Profiler id="column" onRender={() => void (commits += 1)}>
      <EngineRoom />
      <ContextRing />
    </Profiler>,
  );
  commits = 0;
  const write = (words: string): void =>
    act(() =>
      applySessionEvents(window.stores.session, [
        {
          seq: 1,
          sessionId: 's1',
          at: 1,
          turnId: 't1',
          event: { type: 'item/delta', itemId: text.id, text: words },
        },
      ]),
    );
  return { ...window, write, commits: () => commits };
}

it('the engine room and the ring of the context are not drawn again while an answer streams', async () => {
  const { write, commits, stores } = await watchedRoom('running');
  for (let piece = 0; piece < 50; piece += 1) write('word ');
  expect(stores.session.getState().state?.items.at(-1)).toMatchObject({ text: 'word '.repeat(50) });
  expect(commits()).toBe(0);
});

it('the engine room counts what changes: the commits are real', async () => {
  const { commits, stores } = await watchedRoom('running');
  act(() =>
    stores.session.setState(({ state }) => ({
      state: state && { ...state, context: { usedTokens: 200, windowTokens: 1000, estimated: false } },
    })),
  );
  expect(commits()).toBeGreaterThan(0);
});

it('nothing in the engine room ticks when no turn runs', async () => {
  const { commits } = await watchedRoom('finished');
  act(() => void vi.advanceTimersByTime(60_000));
  expect(commits()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});
