/** Shortcuts that the person changed, and what was last run from the palette. Kept by this window's storage. */
import { createStore } from 'zustand/vanilla';
import { isRecord, readRecord, type KeyValueStorage } from './storage.ts';

export interface KeysState {
  /** By command: other keys than it comes with; null = none at all. */
  rebound: Readonly<Record<string, string | null>>;
  /** What was run from the palette, the newest first. */
  recent: readonly string[];
}

export type KeysStore = ReturnType<typeof createKeysStore>;

const storageKey = 'andiron.keys';
const maxRecentLength = 30;

export function createKeysStore(storage: KeyValueStorage) {
  const store = createStore<KeysState>(() => readStored(storage));
  store.subscribe((state) => storage.write(storageKey, JSON.stringify(state)));
  return store;
}

export function remember(store: KeysStore, entry: string): void {
  store.setState(({ recent }) => ({
    recent: [entry, ...recent.filter((other) => other !== entry)].slice(0, maxRecentLength),
  }));
}

/** Anybody may have written it: what is not as it should be is left out. */
function readStored(storage: KeyValueStorage): KeysState {
  const { rebound, recent } = readRecord(storage, storageKey);
  const bindings = Object.entries(isRecord(rebound) ? rebound : {}).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  );
  const entries = Array.isArray(recent) ? recent : [];
  return {
    rebound: Object.fromEntries(bindings),
    recent: entries.filter((entry) => typeof entry === 'string').slice(0, maxRecentLength),
  };
}
