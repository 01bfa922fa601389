import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aProfile } from '../../testing/fixtures.ts';
import { startFirstRun } from '../../testing/onboarding-kit.tsx';

it('a model on another server needs no Ollama, and the page goes on to the first task', async () => {
  const { stores } = await startFirstRun(
    { status: { kind: 'absent', tried: [] }, models: [], modelsReadAt: null },
    { workspace: '/w', profiles: [aProfile({ models: ['lab/big'] })] },
  );
  await screen.findByRole('heading', { name: /^Set up Ollama/ });
  act(() => stores.host.setState({ hosts: new Set(['lab']) }));
  expect(await screen.findByText('lab/big, on another server')).toBeDefined();
  expect(screen.getByText('not needed')).toBeDefined();
  expect(screen.getByText('The model runs on another server.')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Start' })).toBeDefined();
});
