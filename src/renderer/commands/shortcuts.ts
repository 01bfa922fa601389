/** Which keys run which command in this window: those it comes with, or those the person chose. */
import type { KeysStore } from '../stores/keys-store.ts';
import type { Shortcut } from './command.ts';
import { refusalOf, writesWithOption, type Platform } from './reserved-keys.ts';

interface Keyed {
  shortcut: Shortcut | null;
  also: Shortcut | null;
}

/** By command: other keys, null = none, undefined = those it comes with. */
export type KeyChanges = Readonly<Record<string, string | null | undefined>>;

export type Shortcuts<Id extends string> = ReturnType<typeof createShortcuts<Id>>;

export function createShortcuts<Id extends string>(
  registry: Readonly<Record<Id, Keyed>>,
  ids: readonly Id[],
  store: KeysStore,
  platform: Platform,
) {
  const here = (shortcut: Shortcut | null): string | null =>
    onPlatform(shortcut?.[platform.web ? 'web' : 'desktop'] ?? null, platform);
  const defaultOf = (id: Id): string | null => here(registry[id].shortcut);
  const fixed = (id: Id): boolean => defaultOf(id) === 'Escape';
  const of = (id: Id): string | null => {
    const own = store.getState().rebound[id];
    return own === undefined || fixed(id) ? defaultOf(id) : own;
  };
  const ownerOf = (keys: string, except: Id): Id | null =>
    ids.find((id) => id !== except && of(id) === keys) ?? null;
  const stored = (id: Id, keys: string | null) => (keys === defaultOf(id) ? undefined : keys);

  return {
    /** Every command that keys could run. */
    ids,
    of,
    /** Second keys, which stay. */
    alsoOf: (id: Id) => here(registry[id].also),
    defaultOf,
    changed: (id: Id) => of(id) !== defaultOf(id),
    /** Escape leads back wherever one is: what it does cannot be given other keys. */
    fixed,
    /** Who else has these keys. */
    ownerOf,
    /** `id` gets `keys`; whoever had them gets what `id` had. */
    swap(id: Id, keys: string | null): KeyChanges {
      const other = keys === null ? null : ownerOf(keys, id);
      return {
        ...(other !== null && { [other]: stored(other, of(id)) }),
        [id]: stored(id, keys),
      };
    },
  };
}

/** A field of a Mac needs Option for itself, so what comes with Alt comes with Command, too; with Shift where that is taken. */
function onPlatform(keys: string | null, platform: Platform): string | null {
  if (keys === null || !platform.mac || !writesWithOption(keys)) return keys;
  const held = ['Mod+Alt', 'Mod+Alt+Shift'].map((modifiers) => keys.replace('Alt', modifiers));
  return held.find((chord) => refusalOf(chord, platform) === null) ?? keys;
}
