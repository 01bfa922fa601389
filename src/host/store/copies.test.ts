/** Copies of sessions, which are written in several transactions and read in slices. */
import Sqlite from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ContextMessage } from '../providers/provider.ts';
import type { Store } from './store.ts';
import { storeFolder, summary, textItem, turn, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
});
afterEach(() => folder.remove());

test('A session that is being written is out of reach until it is revealed (audit-S21)', () => {
  const session = { summary: summary(), workspaceReal: '/real/project', contextUsage: null };
  store.createUnfinished(session);
  store.saveTurn('s', turn());
  expect(store.revealSession('another')).toBe(false);
  const found = () => [store.listSessions(), store.getSession('s'), store.deletedSessions()];
  expect(found()).toEqual([[], null, []]);
  store.hideSession('s', 5);
  expect(store.restoreSession('s')).toBe(false);
  expect(store.purgeHidden(Number.MAX_SAFE_INTEGER)).toBe(0);
  expect(found()).toEqual([[], null, []]);
  expect(store.revealSession('s')).toBe(true);
  expect(store.listSessions()).toEqual([summary()]);
  expect(store.removeUnfinished('s', 10)).toBe(true);
  expect([store.revealSession('s'), store.purgeUnfinished()]).toEqual([false, 0]);
  expect(store.loadSnapshot('s', 10)).toMatchObject({ turns: [{ id: 't' }] });
});

test('A copy that is given up is removed in pieces, and one of a dead host at once (audit-S21)', () => {
  const write = (id: string): void => {
    store.createUnfinished({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
    for (let index = 0; index < 5; index += 1)
      store.saveItem(id, textItem(index, { id: `${id}${String(index)}`, turnId: 't' }));
  };
  write('s');
  expect(store.removeUnfinished('s', 2)).toBe(false);
  expect(store.pageItems('s', { limit: 10 }).items).toHaveLength(3);
  expect([store.removeUnfinished('s', 2), store.removeUnfinished('s', 2)]).toEqual([false, true]);
  write('s');
  store.createSession({ summary: summary({ id: 'kept' }), workspaceReal: '/w', contextUsage: null });
  expect(store.purgeUnfinished()).toBe(1);
  expect(store.pageItems('s', { limit: 10 }).items).toEqual([]);
  expect(store.listSessions().map(({ id }) => id)).toEqual(['kept']);
});

test('A view reads what is stored when it is opened, one by one, also a damaged row (audit-S21)', async () => {
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.saveTurn('s', turn());
  store.saveItem('s', textItem(0));
  const generation = store.beginGeneration('s', []);
  const messages: ContextMessage[] = [
    { role: 'user', content: 'Read both.' },
    {
      role: 'assistant',
      content: '',
      thinking: '',
      calls: ['a', 'b'].map((id) => ({ id, name: 'x', args: {} })),
    },
    { role: 'tool', callId: 'a', tool: 'x', content: 'one' },
    { role: 'tool', callId: 'b', tool: 'x', content: 'two' },
    { role: 'assistant', content: 'Done.', thinking: '', calls: [] },
  ];
  for (const [position, message] of messages.entries())
    store.copyMessage('s', generation, position, { message, turnId: position < 2 ? 't' : null });
  const other = new Sqlite(join(folder.path, 'andiron.db'));
  other.prepare("UPDATE context SET body = '{' WHERE position = 1").run();
  other.close();
  await store.view(async (view) => {
    store.removeTurn('t');
    store.saveItem('s', textItem(1));
    store.updateSession('s', { title: 'Renamed' });
    store.appendContext('s', [{ role: 'user', content: 'Go on.' }]);
    await new Promise((resolve) => setTimeout(resolve, 1));
    expect([...view.eachTurn('s')]).toEqual([turn()]);
    expect([...view.eachItem('s')]).toEqual([textItem(0)]);
    expect(view.getSession('s')?.summary.title).toBe('A session');
    const read = [...view.eachMessage('s', generation)].map(({ message }) => message);
    expect(read).toEqual(store.readContext('s').slice(0, -1));
    expect(read[1]).toMatchObject({ calls: [{ id: 'a' }, { id: 'b' }] });
    expect([...view.eachMessage('s', generation, 't')]).toHaveLength(2);
    expect([...view.eachOwner('s')]).toEqual([0, 1].map(() => ({ turnId: 't', generation })));
  });
  expect(store.allTurns('s')).toEqual([]);
});
