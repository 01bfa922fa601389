import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openDatabase } from './sqlite.ts';
import type { Store } from './store.ts';
import { storeFolder, summary, textItem, turn, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
});
afterEach(() => folder.remove());

const words = 'x'.repeat(20_000);

function aSession(id: string): void {
  store.createSession({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
  store.saveTurn(id, turn({ id: `${id}-t` }));
  for (const index of [0, 1, 2, 3]) {
    store.saveItem(id, textItem(index, { id: `${id}-${String(index)}`, turnId: `${id}-t`, text: words }));
  }
}

it('sessions are measured by what was said in them, deleted ones apart', () => {
  aSession('kept');
  aSession('gone');
  store.hideSession('gone', 5_000);
  const { kept, deleted } = store.sizeOfSessions();
  expect(kept.count).toBe(1);
  expect(kept.deletedAt).toBeNull();
  expect(kept.bytes).toBeGreaterThan(4 * words.length);
  expect(kept.bytes).toBeLessThan(5 * words.length);
  expect(deleted).toEqual({ count: 1, bytes: kept.bytes, deletedAt: 5_000 });
});

it('nothing is measured as nothing', () => {
  const none = { count: 0, bytes: 0, deletedAt: null };
  expect(store.sizeOfSessions()).toEqual({ kept: none, deleted: none });
});

it('what a purge left unused goes back to the disk, and what is kept stays', () => {
  aSession('kept');
  aSession('gone');
  store.hideSession('gone', 1);
  expect(store.purgeHidden(Number.MAX_SAFE_INTEGER)).toBe(1);
  expect(store.unusedBytes()).toBeGreaterThan(3 * words.length);
  store.compact();
  expect(store.unusedBytes()).toBe(0);
  expect(store.loadSnapshot('kept', 10)?.items).toHaveLength(4);
});

it('a sound database has no problems, and a row that belongs to nothing is one', () => {
  aSession('kept');
  expect(store.findProblems()).toEqual([]);
  const beside = openDatabase(join(folder.path, 'andiron.db'));
  beside.pragma('foreign_keys = OFF');
  beside.exec(
    "INSERT INTO turns (session_id, position, id, status, body) VALUES ('nobody', 1, 't', 'x', '{}')",
  );
  beside.close();
  expect(store.findProblems()).toEqual(['a row of turns belongs to nothing in sessions']);
});

it('what is being written is not counted, and what is being read is not compacted (audit-S21)', async () => {
  store.createUnfinished({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  const { kept, deleted } = store.sizeOfSessions();
  expect([kept.count, deleted.count, deleted.deletedAt]).toEqual([0, 0, null]);
  await store.view(async () => {
    expect(() => store.compact()).toThrow('A session is being copied or exported.');
    await Promise.resolve();
  });
  store.compact();
});
