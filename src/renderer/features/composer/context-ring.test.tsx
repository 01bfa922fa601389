import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { ContextUsage } from '../../../protocol/model.ts';
import { applySessionSnapshot, resetSession } from '../../stores/session-store.ts';
import { aProfile, aSession, aSnapshot, aTurn } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ContextRing } from './context-ring.tsx';

const counted: ContextUsage = {
  usedTokens: 900,
  windowTokens: 1000,
  estimated: false,
  parts: { headTokens: 200, openingTokens: 50 },
};

async function openRing(context: ContextUsage, turns = [aTurn({ status: 'finished', endedAt: 1 })]) {
  const window = await openTestWindow();
  window.stores.host.setState({ profiles: [aProfile({ compactAt: 0.75 })], sessions: [aSession()] });
  window.stores.ui.setState({ openSessionId: 's1' });
  resetSession(window.stores.session, 's1');
  applySessionSnapshot(window.stores.session, aSnapshot({ turns, context }));
  window.host.answer('session/compact', () => ({}));
  renderIn(window, <ContextRing />);
  await userEvent.click(screen.getByRole('button', { name: '90 %' }));
  return { ...window, words: () => screen.getByRole('dialog', { name: 'Context' }).textContent };
}

it('says what fills the context while that is counted, and no parts of a guess', async () => {
  const { words, stores } = await openRing(counted);
  expect(words()).toContain('900 of 1,000 tokens');
  expect(words()).toMatch(/Prompt and tools200Folder and memory50Conversation650/);
  expect(words()).toContain('summarised at 750 tokens');
  act(() =>
    stores.session.setState(({ state }) => ({
      state: state && { ...state, context: { ...counted, estimated: true } },
    })),
  );
  expect(words()).not.toContain('Conversation');
});

it('makes room by summarising, and leads to the engine room', async () => {
  const { host, stores } = await openRing(counted);
  await userEvent.click(screen.getByRole('button', { name: 'Summarise now' }));
  await host.asked('session/compact');
  expect(host.last('session/compact')).toEqual({ sessionId: 's1' });
  await userEvent.click(screen.getByRole('button', { name: 'Engine room' }));
  expect(stores.ui.getState().view).toBe('engine');
});

it('waits with summarising while a turn runs', async () => {
  await openRing(counted, [aTurn()]);
  expect(screen.getByRole('button', { name: 'Summarise now' })).toHaveProperty('disabled', true);
});
