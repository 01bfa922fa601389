import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { anEngine } from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { DemoBanner } from './demo-banner.tsx';

async function bannerOf(simulated: boolean, isDesktop: boolean): Promise<string | null> {
  const window = await openTestWindow();
  const status = { kind: 'running' as const, url: '', version: '', simulated, exposed: null };
  window.stores.engine.setState({ connection: 'live', engine: anEngine({ status }) });
  renderIn(window, <DemoBanner isDesktop={isDesktop} />);
  return screen.queryByRole('complementary', { name: 'Demo' })?.textContent ?? null;
}

it.each([
  ['window', true, 'Close this window to leave.'],
  ['tab', false, 'Go back or close this tab to leave.'],
] as const)('a demo says that it is one, and how to leave its %s', async (_, isDesktop, leave) => {
  expect(await bannerOf(true, isDesktop)).toBe(`Demo. The model and the GPU are simulated.${leave}`);
});

it('a window with a real engine has no banner of a demo', async () => {
  expect(await bannerOf(false, false)).toBeNull();
});
