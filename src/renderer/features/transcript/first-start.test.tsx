import { act, screen } from '@testing-library/react';
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
