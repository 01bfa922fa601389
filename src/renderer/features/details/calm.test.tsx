import { act, screen } from '@testing-library/react';
import { Profiler } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { applySessionEvents, applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import {
  aPlanStep,
  anAgent,
  anEngine,
  anItem,
  aSnapshot,
  aTurn,
  aUsage,
  inOrder,
} from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Details } from './details.tsx';
import { Strip } from './strip.tsx';

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 20, 12, 1) }));
afterEach(() => vi.useRealTimers());

/** A turn that has planned, edited, spawned and asked, and now writes. */
async function watchedColumn(status: 'running' | 'finished') {
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
      <Details />
      <Strip />
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

it('the right column and the strip are not drawn again while an answer streams', async () => {
  const { write, commits, stores } = await watchedColumn('running');
  for (let piece = 0; piece < 50; piece += 1) write('word ');
  expect(stores.session.getState().state?.items.at(-1)).toMatchObject({ text: 'word '.repeat(50) });
  expect(commits()).toBe(0);
});

it('the right column counts what changes: the commits are real', async () => {
  const { commits, stores } = await watchedColumn('running');
  act(() =>
    stores.session.setState(({ state }) => ({
      state: state && { ...state, context: { usedTokens: 200, windowTokens: 1000, estimated: false } },
    })),
  );
  expect(commits()).toBeGreaterThan(0);
});

it('nothing in the right column ticks when no turn runs', async () => {
  const { commits } = await watchedColumn('finished');
  act(() => void vi.advanceTimersByTime(60_000));
  expect(commits()).toBe(0);
  expect(vi.getTimerCount()).toBe(0);
});

it('a changed file leads to its newest change in the transcript', async () => {
  const { stores } = await watchedColumn('finished');
  act(() => screen.getByRole('button', { name: /^src\/lease\.ts/ }).click());
  expect(stores.ui.getState()).toMatchObject({
    jump: { sessionId: 's1', itemId: 'i0' },
    expanded: { i0: true },
  });
});

it('the window used is told in its parts while they are counted, and as one where it is a guess', async () => {
  const { stores } = await watchedColumn('finished');
  const context = { usedTokens: 900, windowTokens: 1000, parts: { headTokens: 200, openingTokens: 50 } };
  const show = (estimated: boolean): string | null => {
    act(() =>
      stores.session.setState(({ state }) => ({
        state: state && { ...state, context: { ...context, estimated } },
      })),
    );
    return screen.getByRole('heading', { name: /^Context/ }).parentElement?.textContent ?? null;
  };
  expect(show(false)).toMatch(/Prompt and tools200Folder and memory50Conversation650/);
  expect(show(true)).not.toContain('Conversation');
});

const strip = (): string | null | undefined => document.querySelector('.strip')?.textContent;

it('the strip names the step in work before the call, and the plan’s count when the turn is over', async () => {
  const { stores } = await watchedColumn('running');
  const step = aPlanStep({ text: 'Read the lease module', status: 'in_progress' });
  const change = (more: object): void =>
    act(() => stores.session.setState(({ state }) => ({ state: state && { ...state, ...more } })));
  change({ todo: { steps: [step] } });
  expect(strip()).toMatch(/^0 of 1Read the lease module/);
  change({ turns: [aTurn({ status: 'finished', endedAt: 1 })] });
  expect(strip()).toMatch(/^Finished0 of 1 step/);
});
