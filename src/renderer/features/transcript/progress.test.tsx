import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineStatus, Prefill } from '../../../protocol/model.ts';
import { anEngine, aPrefill, aTurn, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Progress } from './progress.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: noon + 5000 }));
afterEach(() => void vi.useRealTimers());

async function waitFor(status: EngineStatus) {
  const window = await openTestWindow();
  window.stores.engine.setState({ engine: anEngine({ status }) });
  renderIn(window, <Progress turn={aTurn({ phase: 'lease' })} begun={false} />);
}

it('a turn that waits for its engine says so, and what to do', async () => {
  await waitFor({ kind: 'stopped', program: '/usr/bin/ollama', canStart: true, startHint: '' });
  expect(screen.getByRole('region', { name: 'Waiting for Ollama' }).textContent).toContain('Start Ollama');
});

it('one whose engine is on its way says that', async () => {
  await waitFor({ kind: 'starting', since: noon });
  const card = screen.getByRole('region', { name: 'Waiting for Ollama' });
  expect(card.textContent).toContain('looking for Ollama or starting it');
});

it('one whose engine runs waits for the GPU', async () => {
  await waitFor(anEngine().status);
  expect(screen.getByRole('region', { name: 'Waiting for the GPU' }).textContent).toContain('Another turn');
});

it('one that waits for a prompt to be read in advance says that it gains by it', async () => {
  const window = await openTestWindow();
  const lease = { id: 'l', model: 'qwen3:8b', purpose: 'warm' as const, label: 'Notes', since: noon };
  window.stores.engine.setState({ engine: anEngine({ lease }) });
  renderIn(window, <Progress turn={aTurn({ phase: 'lease' })} begun={false} />);
  expect(screen.getByRole('region').textContent).toContain('preloading a prompt');
});

const prefilling = async (prefill: Partial<Prefill>) => {
  const window = await openTestWindow();
  window.stores.engine.setState({ engine: anEngine() });
  renderIn(window, <Progress turn={aTurn({ phase: 'prefill', prefill: aPrefill(prefill) })} begun={false} />);
  return screen.getByRole('region', { name: 'Reading the prompt' }).textContent;
};

it('the silence of a prefill shows what is cached, what is read, how long it takes and how that is known', async () => {
  const words = await prefilling({});
  for (const said of ['measured', '4 s left', '1,640 from cache', '5,120 of 8,280 read', '1,024 tokens/s'])
    expect(words).toContain(said);
});

it('a few tokens name no speed: two of them in six seconds are no 0.3 tokens a second (audit-U4)', async () => {
  const words = await prefilling({ promptTokens: 1_642, cachedTokens: 1_640, readTokens: 2, secondsLeft: 4 });
  expect(words).toContain('2 of 2 read');
  expect(words).not.toContain('tokens/s');
});

it('one that nobody can see or predict says how much there is to read, and not that none of it is', async () => {
  const words = await prefilling({ source: 'predicted', secondsLeft: null, overrun: false, readTokens: 0 });
  expect(words).toContain('8,280 to read');
  expect(words).not.toContain('0 of');
});

it('a predicted prefill names no speed, and says when it was predicted too short', async () => {
  const words = await prefilling({ source: 'predicted', overrun: true, secondsLeft: null });
  expect(words).toContain('predicted');
  expect(words).not.toContain('tokens/s');
  expect(words).not.toContain('left');
  expect(words).toContain('longer than predicted');
});

it('a prompt of unknown length shows no bar and no false end', async () => {
  const words = await prefilling({ promptTokens: null, cachedTokens: null, secondsLeft: null });
  expect(words).toContain('5,120 read');
  expect(words).not.toContain('of');
});

it('a load says about how far it is by the growth of memory, and can be given up by its own button', async () => {
  const window = await openTestWindow();
  const loading = { model: 'qwen3:8b', since: noon, expectedMs: 9000, progress: 0.4 };
  window.stores.engine.setState({ engine: anEngine({ loading }) });
  renderIn(window, <Progress turn={aTurn({ phase: 'loading' })} begun={false} />);
  expect(screen.getByRole('region').textContent).toContain('about 40 %');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel load' }));
  await window.engine.asked('model/cancel-load');
});
