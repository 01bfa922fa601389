import userEvent from '@testing-library/user-event';
import { describe, expect, it } from 'vitest';
import { FakeDesktop } from '../testing/desktop.ts';
import { aSession } from '../testing/fixtures.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { wholePath } from './outside-commands.ts';

async function inSession(desktop: FakeDesktop | null) {
  userEvent.setup();
  const window = await openTestWindow(desktop);
  window.stores.host.setState({
    sessions: [aSession({ workspace: '/w/kiln' }), aSession({ id: 's2', workspace: 'C:\\w' })],
  });
  window.stores.ui.setState({ openSessionId: 's1' });
  const notices = () =>
    window.stores.ui.getState().notices.map(({ message, news = false }) => ({ message, news }));
  return { ...window, notices };
}

describe('a file of the session', () => {
  it('is handed to the desktop with its session: the open one, or the one that is named', async () => {
    const desktop = new FakeDesktop('linux');
    const { commands, notices } = await inSession(desktop);
    await commands.run('file/open', { path: 'src/a.ts' });
    await commands.run('file/show', { path: 'b.md', sessionId: 's2' });
    await commands.run('current/open-folder');
    expect(desktop.fileRequests).toEqual([
      { action: 'open', sessionId: 's1', path: 'src/a.ts' },
      { action: 'show', sessionId: 's2', path: 'b.md' },
      { action: 'open', sessionId: 's1', path: '.' },
    ]);
    expect(notices()).toEqual([]);
  });

  it.each([
    ['shown', 'Andiron does not open this kind of file. It is shown in its folder instead.', true],
    ['outside', '../a is outside the session’s folder.', false],
    ['missing', '../a no longer exists.', false],
    ['failed', 'The system could not open ../a.', false],
  ] as const)('that is %s is told in words', async (outcome, message, news) => {
    const desktop = new FakeDesktop('linux');
    desktop.outcome = outcome;
    const { commands, notices } = await inSession(desktop);
    await commands.run('file/open', { path: '../a' });
    expect(notices()).toEqual([{ message, news }]);
  });

  it('is copied as a whole path in a browser, where nothing can be opened', async () => {
    const { commands, notices } = await inSession(null);
    expect(commands.registry['file/open'].enabled()).toBe(false);
    expect(commands.registry['current/open-folder'].enabled()).toBe(false);
    await commands.run('file/copy-path', { path: 'src/a.ts' });
    expect(await navigator.clipboard.readText()).toBe('/w/kiln/src/a.ts');
    expect(notices()).toEqual([{ message: 'Copied: /w/kiln/src/a.ts', news: true }]);
  });
});

it.each([
  ['/w', 'a/b.ts', '/w/a/b.ts'],
  ['/w/', './a.ts', '/w/a.ts'],
  ['/w', '.', '/w'],
  ['/w', '.env', '/w/.env'],
  ['/w', '../up.ts', '/w/../up.ts'],
  ['/w', '/etc/hosts', '/etc/hosts'],
  ['C:\\w', 'a/b.ts', 'C:\\w\\a\\b.ts'],
  ['C:\\w', 'D:\\x.ts', 'D:\\x.ts'],
  [null, 'a.ts', 'a.ts'],
])('in %s the whole of %s is %s', (folder, path, whole) => {
  expect(wholePath(folder, path)).toBe(whole);
});
