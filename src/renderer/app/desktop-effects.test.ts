import { expect, it } from 'vitest';
import { FakeDesktop } from '../testing/desktop.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { followStarts, reportTheme } from './page-effects.ts';

async function open() {
  const desktop = new FakeDesktop('linux');
  const window = await openTestWindow(desktop);
  reportTheme(desktop, window.stores.ui);
  followStarts(desktop, window.stores.ui, window.commands.run);
  return { desktop, ui: window.stores.ui };
}

it('The desktop is told the theme when the page starts and whenever it changes (desk-P4)', async () => {
  const { desktop, ui } = await open();
  ui.setState({ theme: 'dark' });
  ui.setState({ textSize: 'large' });
  ui.setState({ theme: 'light' });
  expect(desktop.themes).toEqual(['system', 'dark', 'light']);
});

it('A second start with a folder opens a new session there (desk-F16)', async () => {
  const { desktop, ui } = await open();
  ui.setState({ openSessionId: 's1', view: 'settings' });
  desktop.secondStart({ kind: 'workspace', workspace: '/work/other' });
  expect(ui.getState()).toMatchObject({
    openSessionId: null,
    newSession: { workspace: '/work/other' },
    view: 'session',
  });
});

it.each([
  [true, 'The demo was not started: Andiron is already running with this data folder.'],
  [false, 'Andiron was started a second time, but the demo is running with this data folder.'],
])('A second start for another engine (demo: %s) says what to do (desk-F16)', async (demo, message) => {
  const { desktop, ui } = await open();
  desktop.secondStart({ kind: 'other-engine', demo });
  expect(ui.getState().notices).toMatchObject([{ message, advice: expect.stringMatching(/^Close /) }]);
});
