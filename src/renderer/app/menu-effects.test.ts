import { fireEvent } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { FakeDesktop } from '../testing/desktop.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { followMenu, followMenuKeys } from './menu-effects.ts';

async function openDesktop() {
  const desktop = new FakeDesktop('linux');
  const window = await openTestWindow(desktop);
  followMenu(globalThis.window, desktop, window.stores, window.commands);
  return { ...window, shown: desktop.shownKeys, choose: desktop.choose };
}

describe('the application menu', () => {
  it('runs the command of an entry, over whatever lies on the window', async () => {
    const { stores, choose } = await openDesktop();
    stores.ui.setState({ overlay: 'palette' });
    choose('view/left');
    expect(stores.ui.getState()).toMatchObject({ leftOpen: false, overlay: null });
    choose('view/shortcuts');
    expect(stores.ui.getState().overlay).toBe('shortcuts');
  });

  it('runs nothing that is not enabled, that it does not offer, or that waits behind a question', async () => {
    const { stores, choose, engine } = await openDesktop();
    choose('engine/lend');
    choose('session/delete-all');
    choose('__proto__');
    const question = document.createElement('div');
    question.role = 'alertdialog';
    document.body.append(question);
    choose('view/left');
    question.remove();
    expect([engine.requests, stores.ui.getState().leftOpen, stores.ui.getState().notices]).toEqual([
      [],
      true,
      [],
    ]);
  });

  it('shows the keys that the person has, and follows them', async () => {
    const { commands, shown } = await openDesktop();
    expect(shown.at(-1)).toMatchObject({ 'session/new': 'Mod+N', 'view/left': 'Mod+B', 'engine/lend': null });
    await commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L' } });
    expect(shown.at(-1)).toMatchObject({ 'view/left': 'Alt+L' });
    expect(shown).toHaveLength(2);
  });
});

async function onPlatform(platform: string | null) {
  const desktop = platform === null ? null : new FakeDesktop(platform);
  const { stores, commands } = await openTestWindow(desktop);
  followMenuKeys(globalThis.window, desktop?.platform, commands.run);
  const opened = (): boolean => {
    const open = stores.ui.getState().overlay === 'menu';
    stores.ui.setState({ overlay: null });
    return open;
  };
  return { opened };
}

describe('the keys of the menu', () => {
  const alt = { key: 'Alt', code: 'AltLeft' };

  it('are Alt, pressed and let go alone, and F10', async () => {
    const { opened } = await onPlatform('win32');
    fireEvent.keyDown(document.body, { ...alt, altKey: true });
    fireEvent.keyDown(document.body, { ...alt, altKey: true, repeat: true });
    expect(opened()).toBe(false);
    fireEvent.keyUp(document.body, alt);
    expect(opened()).toBe(true);
    fireEvent.keyDown(document.body, { key: 'F10' });
    expect(opened()).toBe(true);
  });

  it.each([
    ['a key', () => fireEvent.keyDown(document.body, { key: 'g', altKey: true })],
    ['a press', () => fireEvent.pointerDown(document.body)],
    ['another window', () => fireEvent.blur(globalThis.window)],
  ])('are not an Alt that was held for %s', async (_, use) => {
    const { opened } = await onPlatform('linux');
    fireEvent.keyDown(document.body, { ...alt, altKey: true });
    use();
    fireEvent.keyUp(document.body, alt);
    expect(opened()).toBe(false);
  });

  it.each(['darwin', null])('are left alone on %s', async (platform) => {
    const { opened } = await onPlatform(platform);
    fireEvent.keyDown(document.body, { ...alt, altKey: true });
    fireEvent.keyUp(document.body, alt);
    fireEvent.keyDown(document.body, { key: 'F10' });
    expect(opened()).toBe(false);
  });
});
