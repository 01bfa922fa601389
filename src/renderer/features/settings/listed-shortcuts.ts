/** Which commands the list of shortcuts shows. */
import { commandNames, type NamedCommandId } from '../../commands/commands.ts';
import type { Shortcuts } from '../../commands/shortcuts.ts';
import { fold, matchesAll, wordsOf } from './search-words.ts';

type Shown = Shortcuts<NamedCommandId>;

interface Wanted {
  query: string;
  /** Only those that the person changed. */
  narrowed: boolean;
  /** Keys as a person reads them. */
  written: (keys: string) => string;
}

/** `keyed`: those that come first; without a search the others wait behind them. */
export function listedShortcuts(
  shortcuts: Shown,
  keyed: ReadonlySet<NamedCommandId>,
  { query, narrowed, written }: Wanted,
): { first: NamedCommandId[]; more: NamedCommandId[] } {
  const shown = shortcuts.ids.filter(
    (id) => keyed.has(id) || shortcuts.of(id) !== null || shortcuts.changed(id) || !isAside(id),
  );
  const keysOf = (id: NamedCommandId): string => written(shortcuts.of(id) ?? '');
  const words = wordsOf(query.replaceAll('+', ' '));
  // Keys that were pressed are those keys, not all that begin like them.
  const exact = words.length === 0 ? [] : shown.filter((id) => fold(keysOf(id)) === words.join(' '));
  const found = (exact.length > 0 ? exact : shown).filter((id) =>
    matchesAll(`${commandNames[id]} ${keysOf(id)}`, words),
  );
  const rows = narrowed ? found.filter((id) => shortcuts.changed(id)) : found;
  // Whoever looks for something sees all that there is of it.
  const whole = narrowed || words.length > 0;
  return whole
    ? { first: rows, more: [] }
    : { first: rows.filter((id) => keyed.has(id)), more: rows.filter((id) => !keyed.has(id)) };
}

/** Two that came with the same keys are for two places; two of which one was changed are in each other's way. */
export function clashOf(shortcuts: Shown, id: NamedCommandId): string | null {
  const keys = shortcuts.of(id);
  const other = keys === null ? null : shortcuts.ownerOf(keys, id);
  if (other === null || !(shortcuts.changed(id) || shortcuts.changed(other))) return null;
  return commandNames[other];
}

/** Hardly worth keys of their own: they come without, and the palette has them. */
export function isAside(id: NamedCommandId): boolean {
  return [
    'setup/begin',
    'setup/cancel',
    'connection/retry',
    'connection/sign-out',
    'engine/start',
    'engine/refresh',
    'server/add',
    'session/forget-import',
  ].includes(id);
}
