/** Shortcuts that the person changed, and what was last run from the palette. Kept by this window's storage. */
import { createPersistedStore, isText, recordOf, texts, type StateOf } from './persisted.ts';
import type { KeyValueStorage } from './storage.ts';

const maxRecentLength = 30;

const keys = {
  kept: {
    /** By command: other keys than it comes with; null = none at all. */
    rebound: recordOf((value): value is string | null => value === null || isText(value)),
    /** What was run from the palette, the newest first. */
    recent: (stored: unknown): readonly string[] => texts(stored).slice(0, maxRecentLength),
  },
  fresh: {},
};

export type KeysState = StateOf<typeof keys>;
export type KeysStore = ReturnType<typeof createKeysStore>;

export function createKeysStore(storage: KeyValueStorage) {
  return createPersistedStore(storage, 'andiron.keys', keys);
}

export function remember(store: KeysStore, entry: string): void {
  store.setState(({ recent }) => ({
    recent: [entry, ...recent.filter((other) => other !== entry)].slice(0, maxRecentLength),
  }));
}
