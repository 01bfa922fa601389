import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import type { ExamResult, Profile } from '../../../protocol/model.ts';
import { setDraft } from '../../stores/ui-store.ts';
import { aModel, anEngine, anItem, aProfile, aSession, aTurn } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { ErrorCard, OutcomeCard } from './cards.tsx';

const qwen = {
  name: 'qwen3:8b',
  sizeBytes: 6 * 1024 ** 3,
  vramBytes: 6 * 1024 ** 3,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
};

async function failWith(code: string, last = true) {
  const window = await openTestWindow();
  window.stores.engine.setState({ engine: anEngine({ loaded: [qwen] }) });
  renderIn(window, <ErrorCard item={anItem('error', { code })} last={last} />);
  return { ...window, user: userEvent.setup() };
}

it.each(['load_starved', 'slot_lost'])(
  '%s offers to unload what is loaded, with what it frees',
  async (code) => {
    const { engine, user } = await failWith(code);
    await user.click(screen.getByRole('button', { name: 'Unload qwen3:8b, frees 6.0 GB' }));
    await engine.asked('model/unload');
    expect(engine.last('model/unload')).toEqual({ model: 'qwen3:8b' });
  },
);

it('a conversation that the template refuses offers a new one', async () => {
  const { stores, user } = await failWith('template_refused');
  stores.ui.setState({ openSessionId: 's1' });
  await user.click(screen.getByRole('button', { name: 'New session' }));
  expect(stores.ui.getState().openSessionId).toBeNull();
});

const look = () => screen.getByRole('button', { name: 'Continue' }).className;

it('going on comes first only where nothing has to be done before it', async () => {
  const { stores } = await failWith('slot_lost');
  expect(look()).not.toContain('primary');
  act(() => stores.engine.setState({ engine: anEngine({ loaded: [] }) }));
  expect(look()).toContain('primary');
});

it('going on gives way to what a person is writing: one button leads', async () => {
  const { stores } = await failWith('engine_gone');
  act(() => stores.ui.setState({ openSessionId: 's1' }));
  expect(look()).toContain('primary');
  act(() => setDraft(stores.ui, 's1', 'Then do this instead'));
  expect(look()).not.toContain('primary');
  act(() => setDraft(stores.ui, 's1', ' '));
  expect(look()).toContain('primary');
});

it('a cut answer offers to continue it, and sends that (audit-A3)', async () => {
  const window = await openTestWindow();
  window.host.answer('turn/start', () => ({ turnId: 't2' }));
  window.stores.ui.setState({ openSessionId: 's1' });
  const turn = aTurn({ status: 'finished', phase: null, cut: true });
  const { rerender } = renderIn(window, <OutcomeCard turn={turn} last />);
  expect(screen.getByText('Answer cut off')).toBeTruthy();
  await userEvent.setup().click(screen.getByRole('button', { name: 'Continue' }));
  await window.host.asked('turn/start');
  expect(window.host.last('turn/start')).toMatchObject({ sessionId: 's1', text: 'Continue.' });
  rerender(<OutcomeCard turn={turn} last={false} />);
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});

async function refused(calls: Profile['calls']) {
  const window = await failWith('model_without_tools');
  const { stores, host } = window;
  const talker = aModel({ name: 'gemma3:12b', capabilities: ['completion'] });
  const profiles = [aProfile({ models: [], calls }), aProfile({ id: 'talk', name: 'Talk', tools: [] })];
  host
    .answer('profile/update', () => ({ profile: profiles[0] }))
    .answer('session/set-profile', () => ({ session: aSession({ profileId: 'talk' }) }))
    .answer('turn/start', () => ({ turnId: 't2' }));
  act(() => {
    stores.engine.setState({ engine: anEngine({ models: [talker] }) });
    stores.host.setState({ profiles, sessions: [aSession({ id: 's1', profileId: 'developer' })] });
    stores.ui.setState({ openSessionId: 's1' });
  });
  return window;
}

describe('a model that cannot call tools as its profile asks', () => {
  it('is steered from here on with one press, which goes on with the task', async () => {
    const { host, user } = await refused('native');
    const steer = screen.getByRole('button', { name: 'Use gemma3:12b with constrained calls' });
    expect(steer.className).toContain('primary');
    await user.click(steer);
    await host.asked('turn/start');
    expect(host.last('profile/update')).toEqual({
      profileId: 'developer',
      changes: { calls: 'constrained' },
    });
    expect(host.last('turn/start')).toMatchObject({ sessionId: 's1', text: 'Continue.' });
  });

  it('says what that is worth: measured by its exam, else not known', async () => {
    const { stores } = await refused('native');
    expect(screen.getByText('Constrained calls were not measured here.')).toBeDefined();
    const exam: ExamResult = {
      model: 'gemma3:12b',
      digest: aModel().digest,
      at: 0,
      tookMs: 1,
      gpu: null,
      contextTokens: 16_384,
      readsPerSecond: null,
      writesPerSecond: null,
      native: null,
      constrained: { valid: 9, asked: 12, mended: 0 },
      largestWindow: null,
      complete: true,
    };
    act(() => stores.host.setState({ exams: [exam] }));
    expect(screen.getByText('Measured here: 9 of 12 constrained calls correct.')).toBeDefined();
  });

  it('or only talks, with the profile that has no tools', async () => {
    const { host, user } = await refused('native');
    await user.click(screen.getByRole('button', { name: 'Chat only' }));
    await host.asked('turn/start');
    expect(host.last('session/set-profile')).toEqual({ sessionId: 's1', profileId: 'talk' });
    expect(host.count('profile/update')).toBe(0);
  });

  it('is offered nothing that its profile has already', async () => {
    await refused('constrained');
    expect(screen.queryByRole('button', { name: /constrained calls/ })).toBeNull();
    expect(look()).toContain('primary');
  });
});

it('an error of an earlier turn offers nothing', async () => {
  await failWith('slot_lost', false);
  expect(screen.queryByRole('button')).toBeNull();
});
