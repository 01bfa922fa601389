import { expect, test } from 'vitest';
import type { Connection } from '../../protocol/rpc-server.ts';
import { createStateStore, initialState } from './state.ts';

function listening() {
  const store = createStateStore(initialState);
  const heard: unknown[] = [];
  const connection: Connection = {
    publish: (topic, seq, event) => heard.push({ topic, seq, event }),
    onClose: () => undefined,
  };
  return { store, heard, connection };
}

const memory = { totalBytes: 8, usedBytes: 4, cpuLoad: 10 };

test('only what changed is told, with a count that grows by one', () => {
  const { store, heard, connection } = listening();
  store.subscribe(connection);
  store.update({ memory, waiting: 0 });
  store.update({ waiting: 2 });
  expect(heard).toEqual([
    { topic: 'engine', seq: 1, event: { type: 'engine/changed', changes: { memory } } },
    { topic: 'engine', seq: 2, event: { type: 'engine/changed', changes: { waiting: 2 } } },
  ]);
});

test('equal values are no news, so an idle window paints nothing', () => {
  const { store, heard, connection } = listening();
  store.update({ memory });
  store.subscribe(connection);
  const before = store.current();
  store.update({ memory: { ...memory }, gpus: null });
  expect(heard).toEqual([]);
  expect(store.current()).toBe(before);
});

test('a snapshot carries the count of the last change; the old state is not touched by later ones', () => {
  const { store, connection } = listening();
  store.update({ waiting: 1 });
  const { seq, state } = store.subscribe(connection);
  store.update({ waiting: 2 });
  expect(seq).toBe(1);
  expect(state.waiting).toBe(1);
});

test('who unsubscribed hears nothing more', () => {
  const { store, heard, connection } = listening();
  store.subscribe(connection);
  store.unsubscribe(connection);
  store.update({ waiting: 1 });
  expect(heard).toEqual([]);
});
