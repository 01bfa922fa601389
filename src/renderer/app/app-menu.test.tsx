import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { FakeDesktop } from '../testing/desktop.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { AppMenu } from './app-menu.tsx';

async function menuOf(desktop: FakeDesktop | null) {
  const window = await openTestWindow(desktop);
  renderIn(window, <AppMenu desktop={desktop} />);
  const button = screen.queryByRole('button', { name: 'Application menu' });
  const overlay = () => window.stores.ui.getState().overlay;
  return { ...window, user: userEvent.setup(), button, overlay };
}

it('is native on Windows and Linux, below its button, which is pressed for as long as it is open', async () => {
  const desktop = new FakeDesktop('win32');
  const { user, button, overlay } = await menuOf(desktop);
  if (!button) throw new Error('There is no menu button.');
  await user.click(button);
  expect(desktop.popUps.map(({ place }) => place)).toEqual([{ x: 0, y: 0 }]);
  expect([overlay(), button.getAttribute('aria-expanded')]).toEqual(['menu', 'true']);
  expect(screen.queryByRole('menu')).toBeNull();
  act(() => desktop.popUps[0]?.close());
  await waitFor(() => expect(button.getAttribute('aria-expanded')).toBe('false'));
  expect(overlay()).toBeNull();
});

it('leaves what its entry opened', async () => {
  const desktop = new FakeDesktop('linux');
  const { commands, overlay, stores } = await menuOf(desktop);
  await act(() => commands.run('view/menu'));
  act(() => stores.ui.setState({ overlay: 'palette' }));
  await act(async () => desktop.popUps[0]?.close());
  expect(overlay()).toBe('palette');
});

it('is not in the window of a Mac, which has it at the top of the screen', async () => {
  const { button, commands } = await menuOf(new FakeDesktop('darwin'));
  expect([button, commands.registry['view/menu'].enabled()]).toEqual([null, false]);
});

it('is drawn in a browser, goes by keys, and runs what it names', async () => {
  const { user, commands, stores, overlay } = await menuOf(null);
  await act(() => commands.run('view/menu'));
  const menu = await screen.findByRole('menu');
  const heads = within(menu).getAllByRole('menuitem');
  expect(heads.map((item) => item.textContent)).toEqual([
    'File',
    'Edit',
    'View',
    'Session',
    'Engine',
    'Help',
  ]);
  await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowRight}');
  await user.click(await screen.findByRole('menuitem', { name: /^Show or hide the sessions/ }));
  expect([stores.ui.getState().leftOpen, overlay()]).toEqual([false, null]);
});

it('gives the keyboard back to its button, also when its command has opened it', async () => {
  const { user, commands, button } = await menuOf(null);
  await act(() => commands.run('composer/focus'));
  await act(() => commands.run('view/menu'));
  await screen.findByRole('menu');
  await user.keyboard('{Escape}');
  await waitFor(() => expect(document.activeElement).toBe(button));
});

it('offers there only what can be done there, and says why the rest is off', async () => {
  const { user, button } = await menuOf(null);
  if (!button) throw new Error('There is no menu button.');
  await user.click(button);
  await user.click(await screen.findByRole('menuitem', { name: 'File' }));
  const folder = await screen.findByRole('menuitem', { name: 'Open folder…' });
  expect(folder.getAttribute('aria-disabled')).toBe('true');
  expect(folder.title).toBe('Only the desktop app can choose a folder.');
  expect(screen.queryByRole('menuitem', { name: /quit|close/i })).toBeNull();
});
