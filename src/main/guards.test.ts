import { session as electronSession, type WebContents } from 'electron';
import { beforeEach, expect, test } from 'vitest';
import {
  electron,
  FakeWebContents,
  preventable,
  resetElectron,
  session,
} from '../../test/helpers/electron-stub.ts';
import { guardContents, guardSession, openExternally } from './guards.ts';

beforeEach(resetElectron);

test.each(['https://ollama.com/library', 'http://127.0.0.1:11434/'])('%s is opened outside', async (url) => {
  expect(await openExternally(url)).toBe(true);
  expect(electron.opened).toEqual([url]);
});

test.each([
  'file:///etc/passwd',
  'javascript:alert(1)',
  'smb://server/share',
  'vscode://file/x',
  'app://andiron/',
  'data:text/html,x',
  'not an address',
  '',
])('%s is not opened', async (url) => {
  expect(await openExternally(url)).toBe(false);
  expect(electron.opened).toEqual([]);
});

function guardedPage(): FakeWebContents {
  const contents = new FakeWebContents();
  guardContents(contents as WebContents & FakeWebContents);
  return contents;
}

/** Was the navigation stopped? */
function stops(event: string, url: string, isMainFrame = true): boolean {
  const details = preventable({ url, isMainFrame });
  guardedPage().emit(event, details);
  return details.defaultPrevented;
}

test('the page may reload itself and go nowhere else', () => {
  expect(stops('will-frame-navigate', 'app://andiron/')).toBe(false);
  for (const url of ['https://evil.example/', 'app://other/', 'file:///', 'about:blank', 'http://andiron/']) {
    expect(stops('will-frame-navigate', url)).toBe(true);
  }
});

test('frames inside the page go nowhere at all', () => {
  expect(stops('will-frame-navigate', 'app://andiron/', false)).toBe(true);
});

test('redirects and webviews are stopped', () => {
  expect(stops('will-redirect', 'app://andiron/')).toBe(true);
  expect(stops('will-attach-webview', '')).toBe(true);
});

test('nothing can open a window', () => {
  expect(guardedPage().windowOpenHandler?.({ url: 'https://ollama.com/' })).toEqual({ action: 'deny' });
  expect(electron.opened).toEqual([]);
});

function guardedSession() {
  guardSession(electronSession.defaultSession);
  const { handlers } = session.defaultSession;
  const ask = (permission: string, url = 'app://andiron/'): boolean => {
    const contents = new FakeWebContents();
    contents.mainFrame.url = url;
    let granted: unknown;
    handlers['request']?.(contents, permission, (decision: boolean) => {
      granted = decision;
    });
    const checked = handlers['check']?.(contents, permission, url);
    expect(checked).toBe(granted);
    return granted === true;
  };
  const loads = (url: string): boolean => {
    let cancelled: unknown;
    handlers['beforeRequest']?.({ url }, ({ cancel }: { cancel: boolean }) => {
      cancelled = cancel;
    });
    return cancelled === false;
  };
  return { ask, loads, handlers };
}

test('every permission is denied but copying and notifications, and those only to the page', () => {
  const { ask, handlers } = guardedSession();
  for (const permission of ['media', 'geolocation', 'clipboard-read', 'openExternal', 'fileSystem']) {
    expect(ask(permission)).toBe(false);
  }
  for (const permission of ['clipboard-sanitized-write', 'notifications']) {
    expect(ask(permission)).toBe(true);
    expect(ask(permission, 'https://evil.example/')).toBe(false);
  }
  expect(handlers['device']?.({})).toBe(false);
});

test('the page loads nothing from the network', () => {
  const { loads } = guardedSession();
  expect(
    ['https://evil.example/x.js', 'http://127.0.0.1:11434/', 'ws://x/', 'file:///etc/passwd'].map(loads),
  ).toEqual([false, false, false, false]);
  expect(['app://andiron/assets/a.js', 'data:image/png;base64,', 'blob:app://andiron/1'].map(loads)).toEqual([
    true,
    true,
    true,
  ]);
});
