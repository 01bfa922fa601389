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

/**
 * All windows write into one place: each writes only what it has changed, so that it brings back nothing that another has
 * removed. Of records that goes for each entry.
 * `atRest`: what is written in place of some fields. It depends on kept fields, or changes together with one.
 */
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
  const restOf = (state: StateOf<S>): Record<string, unknown> => ({ ...keptOf(state), ...atRest(state) });
  const storedState = () => ({ ...fresh, ...read(readRecord(storage, name)) }) as StateOf<S>;
  let last: Record<string, unknown> = {};
  let written = restOf(storedState());
  const mergedRest = (state: StateOf<S>): string => {
    const merged = withChanges(restOf(storedState()), written, restOf(state), withChangedEntries);
    return JSON.stringify(merged);
  };
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
          storage.update(
            name,
            () => mergedRest(state),
            () => {
              written = restOf(state);
            },
          );
        },
        removeItem: () => undefined,
      },
    }),
  );
}

/** `stored` with what became of `before`; a change of one field is taken over by `change`. */
function withChanges(
  stored: Record<string, unknown>,
  before: Record<string, unknown>,
  now: Record<string, unknown>,
  change: (stored: unknown, before: unknown, now: unknown) => unknown,
): Record<string, unknown> {
  const merged = { ...stored };
  for (const key of new Set([...Object.keys(before), ...Object.keys(now)])) {
    if (JSON.stringify(before[key]) === JSON.stringify(now[key])) continue;
    // What was changed last comes last.
    Reflect.deleteProperty(merged, key);
    if (key in now) merged[key] = change(stored[key], before[key], now[key]);
  }
  return merged;
}

const withChangedEntries = (stored: unknown, before: unknown, now: unknown): unknown =>
  isRecord(stored) && isRecord(before) && isRecord(now)
    ? withChanges(stored, before, now, (_stored, _before, value) => value)
    : now;

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
