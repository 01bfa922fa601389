import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { OwnedMessage, StoredMessage } from './context.ts';
import type { Store } from './store.ts';
import { storeFolder, summary, textItem, turn, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/real/project', contextUsage: null });
});
afterEach(() => folder.remove());

const user = (content: string): StoredMessage => ({ role: 'user', content });
const calling = (...ids: string[]): StoredMessage => ({
  role: 'assistant',
  content: ids.length === 0 ? 'answer' : '',
  thinking: '',
  calls: ids.map((id) => ({ id, name: 'read_file', args: {} })),
});
const result = (callId: string): StoredMessage => ({
  role: 'tool',
  callId,
  tool: 'read_file',
  content: 'ok',
});
const owned = (turnId: string | null, ...messages: StoredMessage[]): OwnedMessage[] =>
  messages.map((message) => ({ message, turnId }));
const contents = (messages: readonly OwnedMessage[] | undefined): (string | undefined)[] =>
  (messages ?? []).map(({ message }) => message.content);

describe('what was before a turn', () => {
  test('is everything up to its first message', () => {
    store.appendContext('s', [user('one'), calling()], 'a');
    store.appendContext('s', [user('two'), calling()], 'b');
    expect(store.contextBefore('s', 'b')).toMatchObject({ generation: 1 });
    expect(contents(store.contextBefore('s', 'b')?.messages)).toEqual(['one', 'answer']);
    expect(store.contextBefore('s', 'a')?.messages).toEqual([]);
    expect(store.contextBefore('s', 'unknown')).toBeNull();
  });

  test('is read from the newest generation in which the turn stands whole', () => {
    store.appendContext('s', [user('one'), calling()], 'a');
    store.appendContext('s', [user('two'), calling()], 'b');
    const kept = owned('b', user('two'), calling());
    store.beginGeneration('s', [...owned(null, user('summary'), calling()), ...kept]);
    expect(contents(store.contextBefore('s', 'b')?.messages)).toEqual(['summary', 'answer']);
  });

  test('is never a summary of its own steps', () => {
    store.appendContext('s', [user('one'), calling()], 'a');
    store.appendContext('s', [user('two'), calling('c1'), result('c1'), calling('c2'), result('c2')], 'b');
    const kept = owned('b', user('two'), calling('c2'), result('c2'));
    store.beginGeneration('s', [...owned(null, user('one, and c1'), calling()), ...kept]);
    expect(store.contextBefore('s', 'b')?.generation).toBe(1);
    expect(contents(store.contextBefore('s', 'b')?.messages)).toEqual(['one', 'answer']);
  });
});

const ids = (): string[] => store.allTurns('s').map(({ id }) => id);

describe('turns', () => {
  beforeEach(() => {
    for (const id of ['a', 'b', 'c']) store.saveTurn('s', turn({ id, status: 'queued' }));
  });

  test('that are placed last stand in that order, after a restart too', () => {
    store.placeLast('s', ['c', 'b']);
    expect(ids()).toEqual(['a', 'c', 'b']);
    store = folder.open();
    expect(ids()).toEqual(['a', 'c', 'b']);
  });

  test('are replaced from one on, or all of them', () => {
    const replaced = () => store.allTurns('s').map((each) => each.replaced ?? false);
    store.replaceTurns('s', 'b');
    expect(replaced()).toEqual([false, true, true]);
    store.replaceTurns('s', null);
    expect(replaced()).toEqual([true, true, true]);
  });
});

const marks = () =>
  store.allTurns('s').map(({ id, replaced = false, switchable = false }) => [id, replaced, switchable]);

describe('turns that make room for now', () => {
  beforeEach(() => {
    for (const id of ['a', 'b', 'c', 'd']) store.saveTurn('s', turn({ id, status: 'finished' }));
  });

  test('can be chosen again, but for those that were replaced before', () => {
    store.replaceTurns('s', 'd');
    store.replaceForNow('s', 'c');
    expect(marks()).toEqual([
      ['a', false, false],
      ['b', false, false],
      ['c', true, true],
      ['d', true, false],
    ]);
  });

  test('cannot any more once all is replaced', () => {
    store.replaceForNow('s', 'b');
    store.replaceTurns('s', null);
    expect(marks().map(([id, , switchable]) => [id, switchable])).toEqual([
      ['a', false],
      ['b', false],
      ['c', false],
      ['d', false],
    ]);
  });

  test('are found by items that are older than their new place', () => {
    for (const [index, turnId] of ['a', 'b', 'c'].entries()) store.saveItem('s', textItem(index, { turnId }));
    store.placeLast('s', ['b']);
    const found = store.loadSnapshot('s', 2)?.turns.map(({ id }) => id);
    expect(found).toEqual(['c', 'd', 'b']);
  });
});

test('an item is found by its id, in its session only', () => {
  store.saveItem('s', textItem(0));
  expect(store.item('s', 'i0')).toMatchObject({ kind: 'text' });
  expect(store.item('other', 'i0')).toBeNull();
});
