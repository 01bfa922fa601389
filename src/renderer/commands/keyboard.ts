/** From key to command, and from shortcut to the caps a person reads. */
import { commands as text } from '../text.ts';
import type { Commands } from './commands.ts';
import { writesWithOption } from './reserved-keys.ts';

/** The parts of a KeyboardEvent that matter here. */
export interface KeyPress {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
  target?: EventTarget | null;
  getModifierState?: (key: string) => boolean;
}

const modifiers = new Set(['Control', 'Shift', 'Alt', 'Meta', 'AltGraph', 'CapsLock', 'NumLock', 'Fn', 'OS']);

/** What else than letters and digits stands where on a US keyboard. */
const places: Readonly<Record<string, string>> = {
  Backquote: '`',
  Backslash: '\\',
  BracketLeft: '[',
  BracketRight: ']',
  Comma: ',',
  Equal: '=',
  Minus: '-',
  Period: '.',
  Quote: "'",
  Semicolon: ';',
  Slash: '/',
};

/**
 * What was pressed, as shortcuts are written: "Mod+Alt+Shift+K". null = nothing that could be one: modifiers alone, the
 * system's own modifier, or a sign that AltGr writes.
 */
export function chordOf(press: KeyPress, mac: boolean): string | null {
  const { key, shiftKey, altKey } = press;
  const mod = mac ? press.metaKey : press.ctrlKey;
  const otherMod = mac ? press.ctrlKey : press.metaKey;
  if (otherMod || modifiers.has(key) || press.getModifierState?.('AltGraph')) return null;
  const name = nameOf(press, mac);
  if (name === null) return null;
  // Which keys write a sign depends on the layout, so Shift is a part of its name: "?" is never "Shift+/".
  const isSign = key.length === 1 && !/[a-z]/i.test(key) && name === (key === '+' ? 'Plus' : key);
  const shift = shiftKey && !isSign;
  return [mod && 'Mod', altKey && 'Alt', shift && 'Shift', name].filter(Boolean).join('+');
}

/** As the layout names the key; where it has no name of ours (Cyrillic, a dead key), as its place is named. */
function nameOf({ key, code, altKey }: KeyPress, mac: boolean): string | null {
  if (key === ' ') return 'Space';
  if (key.length > 1 && key !== 'Dead' && key !== 'Unidentified' && key !== 'Process') return key;
  // Option writes other signs on a Mac.
  const readable = /^[\u0021-\u007E]$/.test(key) && !(mac && altKey);
  const name = readable ? key : (/^(?:Key|Digit)(.)$/.exec(code)?.[1] ?? places[code] ?? null);
  return name === '+' ? 'Plus' : (name?.toUpperCase() ?? null);
}

export function matches(keys: string, press: KeyPress, mac: boolean): boolean {
  return chordOf(press, mac) === keys;
}

const signs: Readonly<Record<string, string>> = {
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Plus: '+',
};

/** "Mod+Shift+F" → ["Ctrl", "Shift", "F"] or ["⌘", "⇧", "F"]. */
export function keyCaps(keys: string, mac: boolean): string[] {
  const names: Record<string, string> = mac
    ? { ...signs, ...text.caps, Mod: '⌘', Alt: '⌥', Shift: '⇧' }
    : { ...signs, ...text.caps };
  return keys.split('+').map((part) => names[part] ?? part);
}

/** Runs the command whose shortcut was pressed. Returns true when there was one. */
export function handleKey(
  { registry, shortcuts, mac, run }: Pick<Commands, 'registry' | 'shortcuts' | 'mac' | 'run'>,
  press: KeyPress,
): boolean {
  const chord = chordOf(press, mac);
  const isField = isWriting(press.target);
  if (chord === null || (isField && (writes(chord) || (mac && writesWithOption(chord))))) return false;
  for (const id of shortcuts.ids) {
    if (shortcuts.of(id) !== chord && shortcuts.alsoOf(id) !== chord) continue;
    if (!registry[id].enabled()) continue;
    void run(id);
    return true;
  }
  return false;
}

/** Signs without Mod or Alt are what a field is for. */
function writes(chord: string): boolean {
  const name = chord.replace('Shift+', '');
  return name.length === 1 || name === 'Space' || name === 'Plus';
}

function isWriting(target: EventTarget | null | undefined): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=textbox]'))
  );
}
