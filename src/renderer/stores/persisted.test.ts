import { expect, it } from 'vitest';
import { MemoryStorage } from '../testing/window-kit.tsx';
import { createUiStore, openSession, setDraft } from './ui-store.ts';

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

it('a window keeps the draft that another one wrote when it writes something else', () => {
  const storage = new MemoryStorage();
  const [first, second] = [createUiStore(storage), createUiStore(storage)];
  setDraft(first, 's1', 'half a thought');
  setDraft(second, 's2', 'another');
  second.setState({ attention: { working: ['s1'], unread: [] } });
  expect(createUiStore(storage).getState()).toMatchObject({
    drafts: { s1: 'half a thought', s2: 'another' },
    attention: { working: ['s1'] },
  });
});

it('a window brings back no draft that another one has sent', () => {
  const storage = new MemoryStorage();
  const first = createUiStore(storage);
  setDraft(first, 's1', 'half a thought');
  const second = createUiStore(storage);
  setDraft(first, 's1', '');
  second.setState({ attention: { working: ['s1'], unread: [] } });
  expect(createUiStore(storage).getState().drafts).toEqual({});
});

it('a window that is loaded again opens its own session, and a new one the session opened last', () => {
  const storage = new MemoryStorage();
  const ofFirst = new MemoryStorage();
  openSession(createUiStore(storage, ofFirst), 's1');
  openSession(createUiStore(storage, new MemoryStorage()), 's2');
  expect(createUiStore(storage, new MemoryStorage()).getState().openSessionId).toBe('s2');
  expect(createUiStore(storage, ofFirst).getState().openSessionId).toBe('s1');
});

it('a window that opened no other session opens the same one when it is loaded again', () => {
  const storage = new MemoryStorage();
  openSession(createUiStore(storage), 's1');
  const ofFirst = new MemoryStorage();
  createUiStore(storage, ofFirst);
  openSession(createUiStore(storage), 's2');
  expect(createUiStore(storage, ofFirst).getState().openSessionId).toBe('s1');
});
