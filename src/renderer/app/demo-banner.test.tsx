import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { anApproval, anEngine, anItem, aSnapshot, aTurn } from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { DemoBanner } from './demo-banner.tsx';

interface Shown {
  simulated?: boolean;
  isDesktop?: boolean;
  leave?: (() => void) | null;
  asks?: boolean;
}

async function show({ simulated = true, isDesktop = false, leave = null, asks = false }: Shown) {
  const window = await openTestWindow();
  const status = { kind: 'running' as const, url: '', version: '', simulated, exposed: null };
  window.stores.engine.setState({ connection: 'live', engine: anEngine({ status }) });
  const asking = anItem('tool', { state: 'awaiting_approval', approval: anApproval(), completedAt: null });
  if (asks)
    applySessionSnapshot(
      window.stores.session,
      aSnapshot({ turns: [aTurn({ phase: 'approval' })], items: [asking] }),
    );
  renderIn(window, <DemoBanner isDesktop={isDesktop} leave={leave} />);
}

const banner = () => screen.queryByRole('complementary', { name: 'Demo' });
const buttons = () => screen.queryAllByRole('button').map((button) => button.textContent);
const primary = () => document.querySelectorAll('.btn.primary').length;

it('a demo in a tab is left by either of its buttons', async () => {
  const leave = vi.fn<() => void>();
  await show({ leave });
  expect(banner()?.textContent).toMatch(/^Demo\. The model and the GPU are simulated\./);
  expect(buttons()).toEqual(['Leave demo', 'Set up Andiron']);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Leave demo' }));
  await user.click(screen.getByRole('button', { name: 'Set up Andiron' }));
  expect(leave).toHaveBeenCalledTimes(2);
});

it('a demo in a window of its own is left for the window beside it', async () => {
  await show({ isDesktop: true, leave: () => undefined });
  expect(buttons()).toEqual(['Leave demo']);
});

it('a demo that was opened from nowhere says how to leave it', async () => {
  await show({});
  expect(buttons()).toEqual([]);
  expect(banner()?.textContent).toBe('Demo. The model and the GPU are simulated.Close this tab to leave.');
});

it('the banner of a demo leaves the one primary button to a question', async () => {
  await show({ leave: () => undefined });
  expect(primary()).toBe(1);
  document.body.replaceChildren();
  await show({ leave: () => undefined, asks: true });
  expect(primary()).toBe(0);
});

it('a window with a real engine has no banner of a demo', async () => {
  await show({ simulated: false, leave: () => undefined });
  expect(banner()).toBeNull();
});
