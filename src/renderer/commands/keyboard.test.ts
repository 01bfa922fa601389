import { describe, expect, it } from 'vitest';
import { applySessionSnapshot } from '../stores/session-store.ts';
import { aSnapshot, aTurn } from '../testing/fixtures.ts';
import { openTestWindow } from '../testing/window-kit.tsx';
import { handleKey, keyCaps, matches, type KeyPress } from './keyboard.ts';

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
