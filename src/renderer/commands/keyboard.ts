/** From key to command, and from shortcut to the caps a person reads. */
import type { Command, Shortcut } from './command.ts';
import type { Commands } from './commands.ts';

interface Chord {
  key: string;
  mod: boolean;
  alt: boolean;
  shift: boolean;
}

/** The parts of a KeyboardEvent that matter here. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

function parse(keys: string): Chord {
  const parts = keys.split('+');
  return {
    key: parts.at(-1) ?? '',
    mod: parts.includes('Mod'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
  };
}

export function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  const chord = parse(keys);
  const mod = mac ? press.metaKey : press.ctrlKey;
  const otherMod = mac ? press.ctrlKey : press.metaKey;
  if (mod !== chord.mod || otherMod || press.altKey !== chord.alt || press.shiftKey !== chord.shift)
    return false;
  // Alt and layouts change `key` (Alt+N may give a dead key), so letters are also compared by their place.
  return press.key.toLowerCase() === chord.key.toLowerCase() || press.code === `Key${chord.key}`;
}

/** "Mod+Shift+F" → ["Ctrl", "Shift", "F"] or ["⌘", "⇧", "F"]. */
export function keyCaps(keys: string, mac: boolean): string[] {
  const names: Record<string, string> = mac
    ? { Mod: '⌘', Alt: '⌥', Shift: '⇧', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }
    : { Mod: 'Ctrl', Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' };
  return keys.split('+').map((part) => names[part] ?? part);
}

export function keysOf(shortcut: Shortcut, web: boolean): string {
  return web ? shortcut.web : shortcut.desktop;
}

/** Runs the command whose shortcut was pressed. Returns true when there was one. */
export function handleKey(commands: Commands, press: KeyPress): boolean {
  for (const [id, entry] of Object.entries(commands.registry) as [
    keyof typeof commands.registry,
    Command<unknown>,
  ][]) {
    if (!entry.shortcut || !matches(keysOf(entry.shortcut, commands.web), press, commands.mac)) continue;
    if (!entry.enabled()) continue;
    // Only commands without parameters have shortcuts.
    void commands.run(id as 'view/left');
    return true;
  }
  return false;
}
