/** Which keys a command can never have, because something else takes them first. */

export type Refusal = 'escape' | 'writes' | 'moves' | 'edits' | 'system' | 'menu' | 'browser';

export interface Platform {
  /** In a browser, which has keys of its own. */
  web: boolean;
  mac: boolean;
}

const moving = new Set([
  'Enter',
  'Tab',
  'Space',
  'Backspace',
  'Delete',
  'Insert',
  'Home',
  'End',
  'PageUp',
  'PageDown',
  'ArrowUp',
  'ArrowDown',
  'ArrowLeft',
  'ArrowRight',
  'ContextMenu',
]);

/** In every field. */
const editing = new Set(['A', 'C', 'V', 'X', 'Y', 'Z', 'Shift+Z', 'Shift+V'].map((name) => `Mod+${name}`));

/** No field of a Mac uses these. */
const freeOnMac = new Set(['Mod+Alt+ArrowUp', 'Mod+Alt+ArrowDown']);

const systems = {
  other: ['Alt+F4', 'Alt+Tab', 'Alt+Shift+Tab', 'Alt+Space', 'Mod+Alt+Delete', 'Mod+Shift+Escape', 'F10'],
  mac: ['Mod+Tab', 'Mod+Shift+Tab', 'Mod+Space', 'Mod+Alt+Space', 'Mod+Alt+Escape', 'Mod+`']
    .concat(['3', '4', '5', '#', '$', '%'].map((sign) => `Mod+Shift+${sign}`))
    .concat(['#', '$', '%'].map((sign) => `Mod+${sign}`)),
};

/** What the application menu does by itself. */
const menus = {
  other: ['Mod+Q', 'Mod+W', 'F11'],
  mac: ['Mod+Q', 'Mod+W', 'Mod+H', 'Mod+Alt+H', 'Mod+M'],
};

const browsers = {
  both: ['N', 'T', 'W', 'L', 'R', 'P', 'S', 'O', 'G', 'H', 'D', 'Q', 'M']
    .concat(['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', '-', '=', 'Plus'])
    .concat(['N', 'T', 'W', 'P', 'I', 'C', 'J', 'R', 'Q', 'Delete'].map((name) => `Shift+${name}`))
    .concat(['F5', 'PageUp', 'PageDown', 'Tab'])
    .map((name) => `Mod+${name}`)
    .concat(['F1', 'F3', 'F5', 'F6', 'F7', 'F11', 'F12']),
  other: ['D', 'E', 'F', 'ArrowLeft', 'ArrowRight'].map((name) => `Alt+${name}`),
  mac: ['Mod+Alt+I', 'Mod+Alt+J', 'Mod+Alt+U', 'Mod+[', 'Mod+]', 'Mod+`'],
};

/** On a Mac: Option writes signs there, and goes by words and paragraphs. */
export function writesWithOption(chord: string): boolean {
  const [first, ...rest] = chord.split('+');
  const name = rest.at(-1) ?? '';
  return first === 'Alt' && (name.length === 1 || name === 'Plus' || name.startsWith('Arrow'));
}

/** Why these keys cannot be a command's shortcut here; null = they can. */
export function refusalOf(chord: string, { web, mac }: Platform): Refusal | null {
  const name = chord.split('+').at(-1) ?? '';
  const held = chord.startsWith('Mod+') || chord.startsWith('Alt+');
  const own = mac ? 'mac' : 'other';
  if (systems[own].includes(chord)) return 'system';
  if (name === 'Escape') return 'escape';
  if (!held && moving.has(name)) return 'moves';
  if (!held && !/^F\d+$/.test(name)) return 'writes';
  // A Mac writes with Option what other keyboards write with AltGr, and moves by words with it.
  const isFree = mac && freeOnMac.has(chord);
  if (editing.has(chord) || (chord.startsWith('Mod+') && moving.has(name) && !isFree)) return 'edits';
  if (web && (browsers.both.includes(chord) || browsers[own].includes(chord))) return 'browser';
  if (!web && menus[own].includes(chord)) return 'menu';
  return null;
}
