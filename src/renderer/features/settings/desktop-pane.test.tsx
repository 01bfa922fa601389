import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { FakeDesktop } from '../../testing/desktop.ts';
import { settled } from '../../testing/fake-server.ts';
import { openTestWindow, renderIn } from '../../testing/window-kit.tsx';
import { Settings } from './settings.tsx';

async function open(desktop: FakeDesktop | null) {
  const window = await openTestWindow(desktop);
  const section = desktop ? 'desktop' : 'about';
  renderIn(window, <Settings section={section} />);
  await act(() => settled());
  return { ...window, user: userEvent.setup() };
}

it('The choice when a turn keeps the machine awake is shown and kept (desk-F15)', async () => {
  const desktop = new FakeDesktop('linux');
  const { user } = await open(desktop);
  expect(screen.getByRole('radio', { name: 'On mains power', checked: true })).toBeDefined();
  await user.click(screen.getByRole('radio', { name: 'Never' }));
  expect(desktop.kept.keepAwake).toBe('never');
  expect(screen.getByRole('radio', { name: 'Never', checked: true })).toBeDefined();
});

it('The window can be drawn without the GPU, which says its cost (desk-P18)', async () => {
  const desktop = new FakeDesktop('win32');
  const { user } = await open(desktop);
  await user.click(screen.getByRole('switch', { name: 'Draw the window with the GPU' }));
  expect(desktop.kept.hardwareAcceleration).toBe(false);
  expect(screen.getByText(/scrolling takes more CPU. Applies after a restart/)).toBeDefined();
});

const noNews = { installedAt: 'quit', notInstalled: null, whatsNew: null } as const;

it('Daily checks for updates can be turned off, and one can be asked for with its outcome', async () => {
  const desktop = new FakeDesktop('linux');
  const { user, stores } = await open(desktop);
  await user.click(screen.getByRole('switch', { name: 'Check for updates' }));
  expect(desktop.kept.checkUpdates).toBe(false);
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
  const message = "Andiron couldn't reach the update server. It tries again tomorrow.";
  act(() => stores.ui.setState({ updates: { ...noNews, state: { kind: 'failed', message } } }));
  expect(screen.getByText(message)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Check now' }));
  expect(desktop.asked).toContain('check');
});

it('A copy that cannot be updated says why and offers no check', async () => {
  const { stores } = await open(new FakeDesktop('linux'));
  const message = "This build has no update key, so it can't check for updates.";
  act(() => stores.ui.setState({ updates: { ...noNews, state: { kind: 'unavailable', message } } }));
  expect(screen.getByText(message)).toBeDefined();
  expect(screen.queryByRole('button', { name: 'Check now' })).toBeNull();
});

it('A setting of the desktop that cannot be kept says so and stays as it was (desk-P18)', async () => {
  const desktop = new FakeDesktop('linux');
  desktop.keepFails = true;
  const { user } = await open(desktop);
  await user.click(screen.getByRole('radio', { name: 'Always' }));
  expect(screen.getByRole('alert').textContent).toContain('The setting could not be saved.');
  expect(screen.getByRole('radio', { name: 'On mains power', checked: true })).toBeDefined();
});

it('A browser has no section for the desktop, and its search finds none of its rows (desk-F15)', async () => {
  const { user } = await open(null);
  expect(screen.queryByRole('tab', { name: 'Desktop' })).toBeNull();
  await user.type(screen.getByRole('combobox', { name: 'Search settings' }), 'awake');
  expect(screen.getByText('No setting matches “awake”')).toBeDefined();
});
