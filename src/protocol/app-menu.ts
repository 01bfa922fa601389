/** What stands in the application menu: main builds the native one of it, a page without one draws its own. Pure. */
import type { MenuCommand } from './desktop.ts';

type MenuName = 'file' | 'edit' | 'view' | 'session' | 'engine' | 'window' | 'help' | 'textSize' | 'theme';

/** What no command of the page does: the system does it, or shows it. */
type MenuRole = 'close' | 'quit' | 'reload' | 'toggleDevTools' | 'togglefullscreen' | 'about';

export type MenuEntry =
  | { kind: 'command'; command: MenuCommand }
  | { kind: 'role'; role: MenuRole }
  | { kind: 'documentation' }
  /** Where no installer has put `andiron` into a terminal's reach. */
  | { kind: 'install-command' }
  | { kind: 'separator' }
  | { kind: 'menu'; name: MenuName; entries: MenuEntry[] };

export const documentationUrl = 'https://github.com/andiron/andiron#readme';
/** A packaged app has no documents of its own. */
export const documentUrl = (name: string): string =>
  `https://github.com/andiron/andiron/blob/main/docs/${name}`;

const command = (id: MenuCommand): MenuEntry => ({ kind: 'command', command: id });
const role = (name: MenuRole): MenuEntry => ({ kind: 'role', role: name });
const separator: MenuEntry = { kind: 'separator' };
const menu = (name: MenuName, ...entries: MenuEntry[]): MenuEntry => ({ kind: 'menu', name, entries });

/** Whole; `prunedMenu` takes out what there is not. Those of `edit` follow the system's own; `window` has no others. */
export const appMenu: readonly MenuEntry[] = [
  menu(
    'file',
    command('session/new'),
    command('session/choose-workspace'),
    separator,
    command('session/import'),
    command('current/export'),
    command('current/export-markdown'),
    command('session/export-everything'),
    separator,
    command('view/settings'),
    separator,
    role('close'),
    role('quit'),
  ),
  menu('edit', command('view/find'), command('current/copy')),
  menu(
    'view',
    command('view/palette'),
    separator,
    command('view/left'),
    command('view/right'),
    command('view/engine'),
    separator,
    menu('textSize', command('view/text-larger'), command('view/text-smaller'), command('view/text-normal')),
    menu('theme', command('view/theme-light'), command('view/theme-dark'), command('view/theme-system')),
    separator,
    role('reload'),
    role('toggleDevTools'),
    separator,
    role('togglefullscreen'),
  ),
  menu(
    'session',
    command('turn/stop'),
    command('current/regenerate'),
    separator,
    command('current/fork'),
    command('session/rename-title'),
    command('current/pin'),
    separator,
    command('session/search'),
    command('session/next'),
    command('session/previous'),
    separator,
    command('current/delete'),
  ),
  menu(
    'engine',
    command('engine/lend'),
    command('engine/take-back'),
    command('engine/eject'),
    separator,
    command('view/slow'),
  ),
  menu('window'),
  menu(
    'help',
    command('view/shortcuts'),
    { kind: 'documentation' },
    { kind: 'install-command' },
    separator,
    role('about'),
  ),
];

/** The entries that `keeps` allows; no separator at an end, beside another or in place of what is gone. */
export function prunedMenu(entries: readonly MenuEntry[], keeps: (entry: MenuEntry) => boolean): MenuEntry[] {
  const kept: MenuEntry[] = [];
  for (const entry of entries.filter(keeps)) {
    if (entry.kind === 'separator' && (kept.length === 0 || kept.at(-1)?.kind === 'separator')) continue;
    kept.push(entry.kind === 'menu' ? { ...entry, entries: prunedMenu(entry.entries, keeps) } : entry);
  }
  return kept.at(-1)?.kind === 'separator' ? kept.slice(0, -1) : kept;
}
