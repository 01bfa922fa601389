import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { anAgent, anItem, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import type { AgentRun, AgentStopReason } from '../../../protocol/model.ts';
import { AgentRow } from './agent-row.tsx';

async function show(changes: Partial<AgentRun>, open = false) {
  const window = await openTestWindow();
  window.stores.ui.setState({ openSessionId: 's1' });
  const agent = anAgent(changes);
  renderIn(window, <AgentRow item={{ ...anItem('tool', { callId: 'c1' }), agent }} open={open} />);
  return { ...window, user: userEvent.setup() };
}

it('says who works on what, how far it is, and stops it alone', async () => {
  const { host, user } = await show({});
  const head = screen.getByRole('button', { name: /^Agent explorer: find who renews 4 calls, 3,180 tokens/ });
  expect(head).toBeTruthy();
  await user.click(screen.getByRole('button', { name: 'Stop agent' }));
  await host.asked('agent/stop');
  expect(host.last('agent/stop')).toEqual({ sessionId: 's1', callId: 'c1' });
  expect(host.count('turn/stop')).toBe(0);
  expect(screen.getByRole('button', { name: 'Stopping' })).toHaveProperty('disabled', true);
});

it.each<[AgentStopReason, string]>([
  ['completed', '4 calls, 3,180 tokens'],
  ['iteration_limit', 'step limit reached, 4 calls'],
  ['output_limit', 'reply cut at its output limit, 4 calls'],
  ['timeout', 'time limit reached, 4 calls'],
  ['stopped', 'stopped by you, 4 calls'],
  ['stalled', 'ended: no progress, 4 calls'],
  ['failed', 'failed, 4 calls'],
])('that ended as %s says so, and has nothing to stop', async (stopReason, words) => {
  await show({ state: 'ended', stopReason, endedAt: noon + 41_300 });
  const row = screen.getByRole('button');
  expect(row.textContent).toContain(words);
  expect(row.textContent).toContain('41.3 s');
});

it('leaves out what nobody counted', async () => {
  await show({ state: 'waiting', outputTokens: null, toolCalls: 0 });
  expect(screen.getByRole('button', { name: /waits for the GPU, 0 calls$/ })).toBeTruthy();
});

it('shows its model, steps and task when it is open', async () => {
  await show({}, true);
  expect(screen.getByText('qwen3:8b, 3 steps')).toBeTruthy();
});
