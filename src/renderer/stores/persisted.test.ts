import { expect, it } from 'vitest';
import { MemoryStorage } from '../testing/window-kit.tsx';
import { createUiStore } from './ui-store.ts';

const storageKey = 'andiron.ui';

it('the widths of the columns and what is unread survive a reload', () => {
  const storage = new MemoryStorage();
  const attention = { working: ['b'], unread: ['a'] };
  createUiStore(storage).setState({ columns: { left: 300 }, attention });
  expect(createUiStore(storage).getState()).toMatchObject({
    columns: { left: 300 },
    attention,
  });
});

it('whatever else was stored for them is as on the first start', () => {
  const storage = new MemoryStorage();
  storage.write(
    storageKey,
    '{"columns":{"left":"wide","right":null},"attention":{"working":7,"unread":["a",null,{}]}}',
  );
  expect(createUiStore(storage).getState()).toMatchObject({
    columns: { left: null },
    attention: { working: [], unread: ['a'] },
  });
});

it('A window reads what version 0.1.0 stored, and writes the same form but for what it dropped', () => {
  const attachment = { id: 'att_1', name: 'a.txt', kind: 'text', mime: 'text/plain', bytes: 3 };
  const stored = {
    theme: 'dark',
    leftOpen: false,
    columns: { left: 300 },
    textSize: 'large',
    motion: 'reduced',
    wrapCode: true,
    wrapped: { place: true },
    openSessionId: 's1',
    drafts: { s1: 'half a thought' },
    draftFiles: { s1: [attachment] },
    attention: { working: ['b'], unread: ['a'] },
    firstRun: { shown: 'auto', done: ['tour'] },
  };
  const storage = new MemoryStorage();
  // It had a right column and a session of the first task, of which nothing is left.
  const dropped = {
    rightOpen: false,
    columns: { left: 300, right: null },
    firstRun: { ...stored.firstRun, task: 's1' },
  };
  storage.write(storageKey, JSON.stringify({ ...stored, ...dropped }));
  const store = createUiStore(storage);
  // The hints of a first task, whose session it named, are no more.
  const now = { firstRun: { shown: 'auto', done: ['tour'] } };
  expect(store.getState()).toMatchObject({
    ...stored,
    draftFiles: { s1: [{ key: 'att_1', state: 'ready' }] },
    firstRun: now.firstRun,
  });
  store.setState({ theme: 'light' });
  // What came later is added, as it is at first.
  const added = {
    notifies: true,
    mutedNotes: [],
    quietHours: { on: false, from: '22:00', to: '08:00' },
    notesOffered: false,
    draftOrigins: {},
    grouping: 'folder',
    language: 'system',
  };
  expect(JSON.parse(storage.read(storageKey) ?? '')).toEqual({
    ...stored,
    ...added,
    ...now,
    theme: 'light',
  });
});

it('A window writes nothing when only what begins afresh has changed', () => {
  const storage = new MemoryStorage();
  createUiStore(storage).setState({ overlay: 'palette', expanded: { row: true } });
  expect(storage.read(storageKey)).toBeNull();
});
