import { act, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import type { DesktopBridge } from '../../protocol/desktop.ts';
import { FakeDesktop } from '../testing/desktop.ts';
import { aSession } from '../testing/fixtures.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { TitleBar } from './title-bar.tsx';

async function titleBarOf(desktop: DesktopBridge | null, title = 'Flaky lease test') {
  const window = await openTestWindow(desktop);
  window.host.answer('session/update', () => ({ session: aSession() }));
  const defaults = { profileId: 'developer', workspace: '/w' };
  window.stores.host.setState({ sessions: [aSession({ title })], defaults });
  window.stores.ui.setState({ openSessionId: 's1' });
  renderIn(window, <TitleBar desktop={desktop} />);
  return { ...window, user: userEvent.setup(), bar: within(screen.getByRole('banner')) };
}

const windowButtons = ['Minimise', 'Maximise', 'Close'];

it('draws the buttons of the window where the system does not, and they do what they say', async () => {
  const desktop = new FakeDesktop('linux');
  const { user, bar } = await titleBarOf(desktop);
  for (const name of windowButtons) await user.click(bar.getByRole('button', { name }));
  expect(desktop.asked).toEqual(['minimize', 'maximize', 'close']);
});

it.each([
  ['darwin', new FakeDesktop('darwin')] as const,
  ['win32', new FakeDesktop('win32')] as const,
  ['a browser', null] as const,
])('leaves them to %s', async (_, desktop) => {
  const { bar } = await titleBarOf(desktop);
  for (const name of windowButtons) expect(bar.queryByRole('button', { name })).toBeNull();
});

it('The title bar shows whether its window is maximised, behind others or full screen (desk-P5)', async () => {
  const desktop = new FakeDesktop('linux');
  const { bar } = await titleBarOf(desktop);
  act(() => desktop.showFacts({ maximized: true, fullScreen: false, focused: false }));
  expect(bar.getByRole('button', { name: 'Restore' })).toBeDefined();
  expect(screen.getByRole('banner').className).toBe('title behind');
  act(() => desktop.showFacts({ maximized: true, fullScreen: true, focused: true }));
  expect(bar.queryByRole('button', { name: 'Close' })).toBeNull();
  expect(screen.getByRole('banner').className).toBe('title');
});

it('renames the open session by a click on its title; Escape leaves it, an empty title changes nothing', async () => {
  const { user, bar, host } = await titleBarOf(null);
  await user.click(bar.getByRole('button', { name: 'Flaky lease test' }));
  await user.keyboard('Lease and clock{Escape}');
  await user.click(bar.getByRole('button', { name: 'Flaky lease test' }));
  await user.clear(bar.getByRole('textbox', { name: 'Session title' }));
  await user.keyboard('{Enter}');
  expect(host.count('session/update')).toBe(0);
  await user.click(bar.getByRole('button', { name: 'Flaky lease test' }));
  await user.keyboard(' Lease and clock {Enter}');
  await host.asked('session/update');
  expect(host.last('session/update')).toEqual({ sessionId: 's1', title: 'Lease and clock' });
});

it('renames with F2 wherever the keyboard is, but not a session that does not exist yet', async () => {
  const { user, bar, stores } = await titleBarOf(null);
  await user.keyboard('{F2}');
  expect(document.activeElement).toBe(bar.getByRole('textbox', { name: 'Session title' }));
  await user.keyboard('{Escape}');
  act(() => stores.ui.setState({ openSessionId: null }));
  await user.keyboard('{F2}');
  expect(bar.queryByRole('textbox')).toBeNull();
  expect(bar.getByRole('heading', { level: 1 }).textContent).toBe('New session');
});

it('names the session over the page that says what slows it, which has a heading of its own', async () => {
  const { bar, stores } = await titleBarOf(null);
  act(() => stores.ui.setState({ view: 'slow' }));
  expect(bar.getByRole('heading').textContent).toBe('Flaky lease test');
  expect(document.title).toBe('Why is it slow? - Andiron');
});

it('says in the title of the page which session it is, and that it asks', async () => {
  const { stores } = await titleBarOf(null, 'لماذا');
  expect(document.title).toBe('لماذا - Andiron');
  act(() => stores.host.setState({ sessions: [aSession({ status: 'asking' })] }));
  expect(document.title).toBe('Asks: Flaky lease test - Andiron');
});

it('an archived session that is open says so beside its title, and comes back from there', async () => {
  const { user, bar, host, stores } = await titleBarOf(null);
  expect(bar.queryByRole('button', { name: 'Bring back' })).toBeNull();
  act(() => stores.host.setState({ sessions: [aSession({ archivedAt: 1 })] }));
  await user.click(bar.getByRole('button', { name: 'Bring back' }));
  expect(host.last('session/update')).toEqual({ sessionId: 's1', archived: false });
});
