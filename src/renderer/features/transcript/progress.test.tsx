import { screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { EngineStatus } from '../../../protocol/model.ts';
import { anEngine, aTurn, noon } from '../../testing/fixtures.ts';
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
  expect(card.textContent).toContain('being found or started');
});

it('one whose engine runs waits for the GPU', async () => {
  await waitFor(anEngine().status);
  expect(screen.getByRole('region', { name: 'Waiting for the GPU' }).textContent).toContain('Another turn');
});
