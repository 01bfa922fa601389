/** Stores that outlive a reload of their window. */
import { persist } from 'zustand/middleware';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { isRecord, readRecord, type KeyValueStorage } from './storage.ts';

/** Reads one field. Another version of Andiron, or anybody, may have written it: what it does not understand is as at first. */
type Reader = (stored: unknown) => unknown;

/** Part of a store's state: the fields that are kept, each with its reader, and those that begin afresh in every window. */
interface Slice {
  kept: Record<string, Reader>;
  fresh: object;
}

export type StateOf<S extends Slice> = { [Key in keyof S['kept']]: ReturnType<S['kept'][Key]> } & S['fresh'];

/** `atRest`: what is written in place of some fields. It depends on kept fields, or changes together with one. */
export function createPersistedStore<S extends Slice>(
  storage: KeyValueStorage,
  name: string,
  { kept, fresh }: S,
  atRest: (state: StateOf<S>) => object = () => ({}),
): StoreApi<StateOf<S>> {
  const keys = Object.keys(kept);
  const read = (stored: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(kept).map(([key, reader]) => [key, reader(stored[key])]));
  const keptOf = (state: object) => Object.fromEntries(keys.map((key) => [key, Reflect.get(state, key)]));
  let last: Record<string, unknown> = {};
  return createStore<StateOf<S>>()(
    persist(() => ({ ...fresh, ...read({}) }) as StateOf<S>, {
      name,
      merge: (stored, state) => {
        const merged = { ...state, ...read(isRecord(stored) ? stored : {}) };
        last = keptOf(merged);
        return merged;
      },
      storage: {
        getItem: () => ({ state: readRecord(storage, name) as StateOf<S> }),
        setItem: (_name, { state }) => {
          const next = keptOf(state);
          if (keys.every((key) => next[key] === last[key])) return;
          last = next;
          storage.write(name, JSON.stringify({ ...next, ...atRest(state) }));
        },
        removeItem: () => undefined,
      },
    }),
  );
}

export function flag(initial: boolean): (stored: unknown) => boolean {
  return (stored) => (typeof stored === 'boolean' ? stored : initial);
}

export function oneOf<Value extends string>(values: readonly Value[], initial: Value) {
  return (stored: unknown): Value => values.find((value) => value === stored) ?? initial;
}

/** A record without the values that are not of this kind. */
export function recordOf<Value>(isValue: (value: unknown) => value is Value) {
  return (stored: unknown): Record<string, Value> =>
    Object.fromEntries(
      Object.entries(isRecord(stored) ? stored : {}).filter((entry): entry is [string, Value] =>
        isValue(entry[1]),
      ),
    );
}

export function texts(stored: unknown): string[] {
  return Array.isArray(stored) ? stored.filter(isText) : [];
}

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
