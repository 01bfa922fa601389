import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { FakeDesktop } from '../testing/desktop.ts';
import { openTestWindow, renderIn } from '../testing/window-kit.tsx';
import { followUpdates } from './follow-updates.ts';
import { Notices } from './notices.tsx';

async function noteWindow() {
  const desktop = new FakeDesktop('linux');
  const window = await openTestWindow(desktop);
  followUpdates(window.services);
  renderIn(window, <Notices />);
  return desktop;
}
const whatsNew = { version: '0.2.0', lines: ['One.', 'Two.', 'Three.'] };

it('an update that is ready offers a restart', async () => {
  const desktop = await noteWindow();
  expect(screen.queryByRole('button', { name: 'Restart to update' })).toBeNull();
  act(() => desktop.tellUpdate({ state: { kind: 'ready', version: '0.2.0' }, whatsNew: null }));
  expect(screen.getByText('Andiron 0.2.0 is ready')).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Restart to update' }).click());
  expect(desktop.asked).toContain('restart');
});

it('what is new is said in three lines and dismissed by one button', async () => {
  const desktop = await noteWindow();
  act(() => desktop.tellUpdate({ state: { kind: 'idle' }, whatsNew }));
  for (const line of ['New in Andiron 0.2.0', ...whatsNew.lines]) expect(screen.getByText(line)).toBeTruthy();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  expect(desktop.asked).toContain('dismiss');
  act(() => desktop.tellUpdate({ state: { kind: 'idle' }, whatsNew: null }));
  expect(screen.queryByText('One.')).toBeNull();
});

it.each(['idle', 'checking', 'current'] as const)('updates that are %s say nothing unasked', async (kind) => {
  const desktop = await noteWindow();
  act(() => desktop.tellUpdate({ state: { kind }, whatsNew: null }));
  expect(screen.queryByText(/Andiron/)).toBeNull();
});
