import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { EngineState } from '../../../protocol/model.ts';
import { aModel, anEngine, aProfile, noon } from '../../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { FirstStart } from './first-start.tsx';

it('says of the model what the bottom bar says of it: with the first message, just now, or done', async () => {
  const window = await openTestWindow();
  const profile = aProfile();
  window.stores.host.setState({
    profiles: [profile],
    defaults: { profileId: profile.id, workspace: '/work' },
  });
  const show = (over: Partial<EngineState>): void =>
    act(() => window.stores.engine.setState({ engine: anEngine({ models: [aModel()], ...over }) }));
  show({});
  renderIn(window, <FirstStart />);
  expect(screen.getByText('qwen3:8b loads with your first message.')).toBeTruthy();

  show({ loading: { model: 'qwen3:8b', since: noon, expectedMs: null } });
  expect(screen.getByText('Loading qwen3:8b. You can start typing.')).toBeTruthy();

  const loaded = { name: 'qwen3:8b', sizeBytes: 1, vramBytes: 1, contextTokens: 16_384 };
  show({ loaded: [{ ...loaded, expiresAt: '', asPlanned: true }] });
  expect(screen.getByText('qwen3:8b is loaded.')).toBeTruthy();
});

it('says of a model of another server that it runs there, also where no Ollama does', async () => {
  const window = await openTestWindow();
  const profile = aProfile({ models: ['lab/coder'] });
  window.stores.host.setState({
    profiles: [profile],
    defaults: { profileId: profile.id, workspace: '/work' },
    hosts: new Set(['lab']),
  });
  act(() =>
    window.stores.engine.setState({
      engine: anEngine({ status: { kind: 'absent', tried: [] }, models: [] }),
    }),
  );
  renderIn(window, <FirstStart />);
  expect(screen.getByRole('heading', { name: 'Ready when you are' })).toBeTruthy();
  expect(screen.getByText('lab/coder runs on another server.')).toBeTruthy();
});

const press = (name: string): void => void fireEvent.click(screen.getByRole('button', { name }));

it('A suggestion that is pressed goes below a first message that is written already, which stays', async () => {
  const { stores, ...window } = await openTestWindow();
  stores.ui.setState({ openSessionId: null, drafts: { new: 'Only the parser.' } });
  renderIn({ stores, ...window }, <FirstStart />);
  press('Find the parts without tests and list them by risk.');
  press('Explain how this project is built and run.');
  expect(stores.ui.getState().drafts['new']).toBe(
    'Only the parser.\n\nExplain how this project is built and run.',
  );
});
