import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { EngineState } from '../../../protocol/model.ts';
import { applySessionSnapshot } from '../../stores/session-store.ts';
import { settled } from '../../testing/fake-server.ts';
import { anEngine, aProfile, aReading, aSession, aSnapshot, aTurn, aUsage } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { SlowPage } from './slow-page.tsx';

const gib = 1024 ** 3;
const spilled = {
  name: 'qwen3:8b',
  sizeBytes: 6 * gib,
  vramBytes: 3 * gib,
  contextTokens: 16_384,
  expiresAt: '',
  asPlanned: true,
};
const other = { ...spilled, name: 'other:7b', vramBytes: 6 * gib };

async function openPage(engine: Partial<EngineState> | null) {
  const window = await openTestWindow();
  window.stores.host.setState({
    sessions: [aSession()],
    profiles: [aProfile()],
    defaults: { profileId: 'developer', workspace: '/w' },
  });
  window.stores.ui.setState({ openSessionId: 's1', view: 'slow' });
  window.stores.session.setState({ sessionId: 's1' });
  applySessionSnapshot(
    window.stores.session,
    aSnapshot({ turns: [aTurn({ status: 'finished', usage: [aUsage()] })] }),
  );
  window.stores.engine.setState({ engine: engine && anEngine({ gpus: null, ...engine }) });
  for (const method of ['model/unload', 'model/preload', 'engine/set-keep-alive'])
    window.engine.answer(method, () => ({}));
  renderIn(window, <SlowPage />);
  return { ...window, user: userEvent.setup(), words: () => document.body.textContent };
}

const button = (name: string) => screen.getByRole('button', { name });

it('says plainly when nothing is wrong, with the speed that this is', async () => {
  const { words } = await openPage({ loaded: [{ ...spilled, vramBytes: 6 * gib }] });
  expect(words()).toContain('Nothing is wrong');
  expect(words()).toContain('It read 820 tokens a second and wrote 50 a second.');
});

it('says nothing before the engine has answered', async () => {
  expect((await openPage(null)).words()).toContain('until Ollama answers');
});

it('undoes what it mended, also when the finding is gone by then', async () => {
  const { user, engine, stores, words } = await openPage({ loaded: [spilled, other] });
  expect(words()).toContain('50 % of qwen3:8b runs on the CPU');
  await user.click(button('Unload other:7b'));
  await engine.asked('model/unload');
  act(() => stores.engine.setState({ engine: anEngine({ gpus: null, loaded: [] }) }));
  expect(words()).toContain('Nothing is wrong');
  expect(words()).toContain('Unload other:7b. Done.');
  await user.click(button('Undo'));
  await engine.asked('model/preload');
  await act(() => settled());
  expect(engine.last('model/preload')).toEqual({ model: 'other:7b', contextTokens: 16_384 });
  expect(words()).toContain('Undone.');
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull();
});

it('undoes a window in the profile that it changed, also when another one is in use by then', async () => {
  const { user, host, stores } = await openPage({ loaded: [spilled] });
  host.answer('profile/update', () => ({ profile: aProfile({ builtIn: false, contextTokens: 8192 }) }));
  await user.click(button('Context of 8,192'));
  await host.asked('profile/update');
  act(() => {
    stores.host.setState({ profiles: [aProfile(), aProfile({ id: 'writer' })] });
    applySessionSnapshot(stores.session, aSnapshot({ session: aSession({ profileId: 'writer' }) }));
  });
  await user.click(button('Undo'));
  await host.asked('profile/update', 2);
  expect(host.last('profile/update')).toEqual({
    profileId: 'developer',
    changes: { contextTokens: 16_384 },
  });
});

it('keeps a fix that failed out of what was done', async () => {
  const { user, engine, words, stores } = await openPage({ loaded: [spilled, other] });
  engine.answer('model/unload', () => new Error('A turn uses it.'));
  await user.click(button('Unload other:7b'));
  await act(() => settled());
  expect(words()).not.toContain('Done.');
  expect(stores.ui.getState().notices[0]?.message).toBe('A turn uses it.');
});

it('is left with Escape', async () => {
  const { user, stores } = await openPage({});
  await user.keyboard('{Escape}');
  expect(stores.ui.getState().view).toBe('session');
});

it('leads from tokens that a template made the model read twice to the models (audit-U12)', async () => {
  const { user, stores, words } = await openPage({ loaded: [{ ...spilled, vramBytes: 6 * gib }] });
  const usage = aUsage({
    evaluatedTokens: 4000,
    reading: aReading({ rereadTokens: 4000, cause: 'rendering', owner: 'template' }),
  });
  act(() =>
    applySessionSnapshot(
      stores.session,
      aSnapshot({ turns: [aTurn({ status: 'finished', usage: [usage] })] }),
    ),
  );
  expect(words()).toContain('A model of another family avoids it.');
  await user.click(button('Choose another model'));
  expect(stores.ui.getState()).toMatchObject({ view: 'settings' });
});
