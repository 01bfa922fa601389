import { describe, expect, it } from 'vitest';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { aSnapshot, aTurn } from '../testing/fixtures.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { createShortcuts } from './shortcuts.ts';
import { chordOf, handleKey, keyCaps, matches, type KeyPress } from './keyboard.ts';

const press = (key: string, held: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  ...held,
});

describe('shortcuts', () => {
  it('match with exactly the keys they name', () => {
    expect(matches('Mod+N', press('n', { ctrlKey: true }), false)).toBe(true);
    expect(matches('Mod+N', press('n', { metaKey: true }), true)).toBe(true);
    expect(matches('Mod+N', press('n', { metaKey: true }), false)).toBe(false);
    expect(matches('Mod+N', press('N', { ctrlKey: true, shiftKey: true }), false)).toBe(false);
    expect(matches('Escape', press('Escape'), false)).toBe(true);
  });

  it('match by place where Alt changes the letter', () => {
    expect(matches('Alt+N', press('˜', { altKey: true, code: 'KeyN' }), true)).toBe(true);
  });

  it('follow the layout of the keyboard, and the place of the key where the layout has other letters', () => {
    const ctrl = { ctrlKey: true };
    // A French keyboard has A where an American one has Q.
    expect(chordOf(press('a', { ...ctrl, code: 'KeyQ' }), false)).toBe('Mod+A');
    expect(chordOf(press('л', { ...ctrl, code: 'KeyK' }), false)).toBe('Mod+K');
    expect(chordOf(press('б', { ...ctrl, code: 'Comma' }), false)).toBe('Mod+,');
    expect(chordOf(press('˜', { altKey: true, code: 'KeyN' }), true)).toBe('Alt+N');
    expect(chordOf(press('@', { altKey: true, code: 'KeyL' }), true)).toBe('Alt+L');
  });

  it('name a sign by itself, whichever keys write it', () => {
    const german = press('/', { ctrlKey: true, shiftKey: true, code: 'Digit7' });
    expect(chordOf(german, false)).toBe('Mod+/');
    expect(chordOf(press('?', { shiftKey: true, code: 'Slash' }), false)).toBe('?');
    expect(chordOf(press('+', { ctrlKey: true, shiftKey: true, code: 'Equal' }), false)).toBe('Mod+Plus');
    expect(chordOf(press('=', { ctrlKey: true, code: 'Equal' }), false)).toBe('Mod+=');
  });

  it('are nothing while only modifiers are down, with the key of the system, or with AltGr', () => {
    expect(chordOf(press('Control', { ctrlKey: true }), false)).toBeNull();
    expect(chordOf(press('k', { metaKey: true }), false)).toBeNull();
    const euro = press('€', { ctrlKey: true, altKey: true, code: 'KeyE', getModifierState: () => true });
    expect(chordOf(euro, false)).toBeNull();
  });

  it('that would write are left to a field that has the keyboard', async () => {
    const { commands, stores } = await openTestWindow();
    const field = document.createElement('textarea');
    const question = { shiftKey: true, code: 'Slash' };
    expect(handleKey(commands, press('?', { ...question, target: field }))).toBe(false);
    expect(handleKey(commands, press('/', { ctrlKey: true, target: field }))).toBe(true);
    stores.ui.setState({ overlay: null });
    expect(handleKey(commands, press('?', { ...question, target: document.body }))).toBe(true);
    expect(stores.ui.getState().overlay).toBe('shortcuts');
  });

  it('run what the person chose for them, and no longer what they came with', async () => {
    const { commands, stores } = await openTestWindow();
    await commands.run('shortcut/change', { changes: { 'view/left': 'Alt+L' } });
    expect(handleKey(commands, press('b', { ctrlKey: true }))).toBe(false);
    expect(handleKey(commands, press('l', { altKey: true }))).toBe(true);
    expect(stores.ui.getState().leftOpen).toBe(false);
  });

  it('are written as the platform writes them', () => {
    expect(keyCaps('Mod+Shift+F', false)).toEqual(['Ctrl', 'Shift', 'F']);
    expect(keyCaps('Mod+Shift+F', true)).toEqual(['⌘', '⇧', 'F']);
    expect(keyCaps('Escape', false)).toEqual(['Esc']);
  });

  it('avoid in a browser what browsers keep for themselves', async () => {
    const { commands } = await openTestWindow();
    expect(handleKey(commands, press('n', { ctrlKey: true }))).toBe(false);
    expect(handleKey(commands, press('n', { altKey: true }))).toBe(true);
  });

  it('leave Escape alone while nothing runs, and stop with it while something does', async () => {
    const { commands, host, stores } = await openTestWindow();
    expect(handleKey(commands, press('Escape'))).toBe(false);
    stores.ui.setState({ openSessionId: 's1' });
    applySessionSnapshot(stores.session, aSnapshot({ turns: [aTurn()] }));
    expect(handleKey(commands, press('Escape'))).toBe(true);
    await host.asked('turn/stop');
  });

  it('close a column that lies over the transcript before they stop anything', async () => {
    const { commands, host, stores } = await openTestWindow();
    stores.ui.setState({ openSessionId: 's1', sheet: 'right' });
    applySessionSnapshot(stores.session, aSnapshot({ turns: [aTurn()] }));
    expect(handleKey(commands, press('Escape'))).toBe(true);
    expect(stores.ui.getState().sheet).toBeNull();
    expect(host.count('turn/stop')).toBe(0);
  });
});

describe('Option on a Mac', () => {
  const inField = { target: document.createElement('textarea'), altKey: true };
  it('writes in a field, and runs nothing there', async () => {
    const { commands } = await openTestWindow();
    await commands.run('shortcut/change', {
      changes: { 'view/palette': 'Alt+U', 'view/find': 'Alt+ArrowUp' },
    });
    const mac = { ...commands, mac: true };
    expect(handleKey(mac, press('Dead', { ...inField, code: 'KeyU' }))).toBe(false);
    expect(handleKey(mac, press('ArrowUp', { ...inField, code: 'ArrowUp' }))).toBe(false);
    expect(handleKey(mac, press('Dead', { altKey: true, code: 'KeyU' }))).toBe(true);
    expect(handleKey(commands, press('u', { ...inField, code: 'KeyU' }))).toBe(true);
  });

  it('comes with Command where a command comes with Alt', async () => {
    const { commands, stores } = await openTestWindow();
    const { registry, shortcuts } = commands;
    const on = (web: boolean, mac: boolean) =>
      createShortcuts(registry, shortcuts.ids, stores.keys, { web, mac });
    const everywhere = [on(false, true), on(true, true), on(false, false)];
    expect(everywhere.map((own) => own.of('composer/attach'))).toEqual([
      'Mod+Alt+U',
      'Mod+Alt+Shift+U',
      'Alt+U',
    ]);
    expect(everywhere.map((own) => own.of('session/next'))).toEqual([
      'Mod+Alt+ArrowDown',
      'Mod+Alt+ArrowDown',
      'Alt+ArrowDown',
    ]);
  });
});
