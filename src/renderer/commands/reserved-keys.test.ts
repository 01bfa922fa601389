import { describe, expect, it } from 'vitest';
import { openTestWindow } from '../testing/window-kit.tsx';
import { refusalOf } from './reserved-keys.ts';
import { createShortcuts } from './shortcuts.ts';

const linux = { web: false, mac: false };
const linuxWeb = { web: true, mac: false };
const mac = { web: false, mac: true };

describe('keys that no command can have', () => {
  it('are those that write, move or lead back', () => {
    expect(refusalOf('Q', linux)).toBe('writes');
    expect(refusalOf('Shift+Q', linux)).toBe('writes');
    expect(refusalOf('?', linux)).toBe('writes');
    expect(refusalOf('Shift+Tab', linux)).toBe('moves');
    expect(refusalOf('Escape', linux)).toBe('escape');
    expect(refusalOf('Mod+C', linux)).toBe('edits');
    expect(refusalOf('Mod+ArrowLeft', linux)).toBe('edits');
  });

  it('are those that the system, the menu or the browser takes', () => {
    expect(refusalOf('Alt+F4', linux)).toBe('system');
    expect(refusalOf('Alt+F4', mac)).toBeNull();
    expect(refusalOf('Mod+Space', mac)).toBe('system');
    expect(refusalOf('Mod+W', linux)).toBe('menu');
    expect(refusalOf('Mod+T', linux)).toBeNull();
    expect(refusalOf('Mod+T', linuxWeb)).toBe('browser');
  });

  it('are no function keys, and nothing else with Ctrl or Alt', () => {
    for (const keys of ['F9', 'Shift+F9', 'Mod+E', 'Alt+Shift+E', 'Mod+?', 'Alt+ArrowUp']) {
      expect([keys, refusalOf(keys, linux)]).toEqual([keys, null]);
    }
  });

  it('are never those that a command comes with', async () => {
    const { commands, stores } = await openTestWindow();
    const { registry, shortcuts } = commands;
    const refused = [linux, linuxWeb, mac, { web: true, mac: true }].flatMap((platform) => {
      const here = createShortcuts(registry, shortcuts.ids, stores.keys, platform);
      return shortcuts.ids.flatMap((id) => {
        const keys = here.defaultOf(id);
        const refusal = keys === null || keys === 'Escape' ? null : refusalOf(keys, platform);
        const other = keys === null ? null : here.ownerOf(keys, id);
        if (other !== null && keys !== 'Escape') return [`${id}: ${String(keys)} (as ${other})`];
        return refusal === null ? [] : [`${id}: ${String(keys)} (${refusal})`];
      });
    });
    expect(refused).toEqual([]);
  });
});
