import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { UpdateMoment, UpdateNews } from '../../protocol/updates.ts';
import { FakeDesktop } from '../testing/desktop.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { followUpdates } from './page-effects.ts';
import { Notices } from './notices.tsx';

async function noteWindow() {
  const desktop = new FakeDesktop('linux');
  const window = await openTestWindow(desktop);
  followUpdates(desktop, window.stores.ui);
  renderIn(window, <Notices />);
  return desktop;
}
const noNews: UpdateNews = {
  state: { kind: 'idle' },
  installedAt: 'quit',
  notInstalled: null,
  whatsNew: null,
};
const whatsNew = { version: '0.2.0', lines: ['One.', 'Two.', 'Three.'] };

it('an update that is ready offers a restart', async () => {
  const desktop = await noteWindow();
  expect(screen.queryByRole('button', { name: 'Restart to update' })).toBeNull();
  act(() => desktop.reportUpdate({ ...noNews, state: { kind: 'ready', version: '0.2.0' } }));
  expect(screen.getByText('Andiron 0.2.0 is ready')).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Restart to update' }).click());
  expect(desktop.asked).toContain('restart');
});

it('what is new is said in three lines and dismissed by one button', async () => {
  const desktop = await noteWindow();
  act(() => desktop.reportUpdate({ ...noNews, whatsNew }));
  for (const line of ['New in Andiron 0.2.0', ...whatsNew.lines]) expect(screen.getByText(line)).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  expect(desktop.asked).toContain('dismiss');
  act(() => desktop.reportUpdate(noNews));
  expect(screen.queryByText('One.')).toBeNull();
});

it.each(['idle', 'checking', 'current'] as const)('updates that are %s say nothing unasked', async (kind) => {
  const desktop = await noteWindow();
  act(() => desktop.reportUpdate({ ...noNews, state: { kind } }));
  expect(screen.queryByText(/Andiron/)).toBeNull();
});

it.each<[UpdateMoment, RegExp]>([
  ['quit', /when you quit/],
  ['restart', /when you restart Andiron here\.$/],
  ['restart-ends-others', /Other open copies of Andiron end too/],
])('An update that is installed at %s says so', async (installedAt, words) => {
  const desktop = await noteWindow();
  act(() => desktop.reportUpdate({ ...noNews, state: { kind: 'ready', version: '0.2.0' }, installedAt }));
  expect(screen.getByText(words)).toBeTruthy();
});

it('An update that was not installed is told with its reason until it is dismissed', async () => {
  const desktop = await noteWindow();
  const message = "Andiron couldn't replace its own files, so this version stays.";
  act(() => desktop.reportUpdate({ ...noNews, notInstalled: { version: '0.2.0', message } }));
  for (const line of ['Andiron 0.2.0 wasn’t installed', message]) expect(screen.getByText(line)).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  expect(desktop.asked).toContain('dismiss');
});
