import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { aProfile } from '../../testing/fixtures.ts';
import { startFirstRun } from '../../testing/onboarding-kit.tsx';

it('the last step claims nothing of Ollama, and offers no load and no exam, for a model on another server', async () => {
  const { stores } = await startFirstRun({ status: { kind: 'absent', tried: [] } }, [
    aProfile({ models: ['lab/big'] }),
  ]);
  await screen.findByRole('heading', { level: 2 });
  act(() => stores.host.setState({ hosts: new Set(['lab']) }));
  await screen.findByText('lab/big runs on another server.');
  expect(screen.queryByText(/^Ollama runs/)).toBeNull();
  expect(screen.queryByRole('button', { name: /^(?:Load|Test model)/ })).toBeNull();
});
