import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Setup } from '../../protocol/model.ts';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { anEngine, anItem, aSnapshot, aTurn, noon } from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { EngineNotice } from './engine-notice.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

async function showAbsent(modelsReadAt: number | null, model?: string) {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'live', hosts: new Set(['lab']) });
  if (model !== undefined) window.stores.ui.setState({ openSessionId: null, newSession: { model } });
  const engine = anEngine({ status: { kind: 'absent', tried: [] }, modelsReadAt });
  window.stores.engine.setState({ connection: 'live', engine });
  renderIn(window, <EngineNotice />);
  return screen.getByRole('status').textContent;
}

it('an engine that was never seen has to be installed', async () => {
  expect(await showAbsent(null)).toContain('Install it');
});

it('a model of another server waits for no engine', async () => {
  expect(await showAbsent(null, 'lab/big')).toBe('');
});

it('a model whose name only looks like one of another server waits for the engine', async () => {
  expect(await showAbsent(null, 'other/big')).toContain('Install it');
});

it('an engine that went away has to be started, not installed', async () => {
  const words = await showAbsent(noon);
  expect(words).toContain('Start it again');
  expect(words).not.toContain('Install');
});

it('an address that lets nobody through to Ollama is not called the address of something else', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'live' });
  const message = 'https://gpu.lan refuses the requests of Andiron (HTTP 401).';
  const status = { kind: 'wrong', url: 'https://gpu.lan', message, barrier: 'refusal' } as const;
  window.stores.engine.setState({ connection: 'live', engine: anEngine({ status }) });
  renderIn(window, <EngineNotice />);
  const words = screen.getByRole('status').textContent;
  expect(words).toContain('The address of Ollama refuses Andiron');
  expect(words).toContain(message);
  expect(words).not.toContain('Something else');
});

it('a problem that the card at the end of the transcript tells is not said twice', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'live' });
  const problem = { code: 'load_failed', message: 'Out of memory.', advice: 'Free some.', at: noon };
  window.stores.engine.setState({ connection: 'live', engine: anEngine({ problem }) });
  renderIn(window, <EngineNotice />);
  expect(screen.getByRole('status').textContent).toContain('Out of memory.');
  const items = [anItem('error', { message: 'Out of memory.' })];
  const turns = [aTurn({ status: 'failed', phase: null })];
  act(() => applySessionSnapshot(window.stores.session, aSnapshot({ turns, items })));
  expect(screen.getByRole('status').textContent).toBe('');
});

it('a host that stays away is told with the next step', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'lost' });
  renderIn(window, <EngineNotice />);
  act(() => void vi.advanceTimersByTime(2000));
  expect(screen.getByRole('status').textContent).toContain('Your draft is kept');
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('status').textContent).toContain('restart it');
});

it('a host that does not know the window says where the way in is, at once', async () => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'refused' });
  renderIn(window, <EngineNotice />);
  expect(screen.getByRole('status').textContent).toContain('Open the address that the terminal shows.');
});

const showSetup = async (job: Setup['job']) => {
  const window = await openTestWindow();
  window.stores.host.setState({ connection: 'live' });
  const offer = { version: '1', downloadBytes: null, url: 'https://x', folder: '/f' };
  const engine = anEngine({
    status: { kind: 'absent', tried: [] },
    modelsReadAt: null,
    setup: { offer, installed: null, job },
  });
  window.stores.engine.setState({ connection: 'live', engine });
  renderIn(window, <EngineNotice />);
  return window;
};

it('an engine that Andiron could set up leads to where that is offered, and begins nothing', async () => {
  const { stores, engine } = await showSetup(null);
  act(() => screen.getByRole('button', { name: 'Let Andiron set it up' }).click());
  expect(stores.ui.getState()).toMatchObject({ view: 'settings', settingsSection: 'engine' });
  expect(engine.requests).toEqual([]);
});

it('an engine that is being set up says so, and asks for nothing', async () => {
  const job = { kind: 'install', phase: 'unpacking', receivedBytes: 1, totalBytes: 1 } as const;
  await showSetup({ ...job, bytesPerSecond: null, problem: null });
  expect(screen.getByRole('status').textContent).toBe('Setting up Ollama: Unpacking');
});
