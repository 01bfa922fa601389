/** Shortcuts that the person changed, and what was last run from the palette. Kept by this window's storage. */
import { createStore } from 'zustand/vanilla';
import type { KeyValueStorage } from './storage.ts';

export interface KeysState {
  /** By command: other keys than it comes with; null = none at all. */
  rebound: Readonly<Record<string, string | null>>;
  /** What was run from the palette, the newest first. */
  recent: readonly string[];
}

export type KeysStore = ReturnType<typeof createKeysStore>;

const storageKey = 'andiron.keys';
const longestRecent = 30;

export function createKeysStore(storage: KeyValueStorage) {
  const store = createStore<KeysState>(() => readStored(storage.read(storageKey)));
  store.subscribe((state) => storage.write(storageKey, JSON.stringify(state)));
  return store;
}

export function remember(store: KeysStore, entry: string): void {
  store.setState(({ recent }) => ({
    recent: [entry, ...recent.filter((other) => other !== entry)].slice(0, longestRecent),
  }));
}

/** Anybody may have written it: what is not as it should be is left out. */
function readStored(json: string | null): KeysState {
  const { rebound, recent } = parsed(json);
  const bindings = Object.entries(isRecord(rebound) ? rebound : {}).filter(
    (entry): entry is [string, string | null] => entry[1] === null || typeof entry[1] === 'string',
  );
  const entries = Array.isArray(recent) ? recent : [];
  return {
    rebound: Object.fromEntries(bindings),
    recent: entries.filter((entry) => typeof entry === 'string').slice(0, longestRecent),
  };
}

function parsed(json: string | null): { rebound?: unknown; recent?: unknown } {
  if (json === null) return {};
  try {
    const value: unknown = JSON.parse(json);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
