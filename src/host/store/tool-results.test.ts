import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './sqlite.ts';
import { createToolResultStore, packText, unpackText } from './tool-results.ts';
import { storeFolder, summary, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
beforeEach(() => {
  folder = storeFolder();
});
afterEach(() => folder.remove());

test('the newest whole results of a session stay when there is no more room, others keep theirs (audit-A6)', () => {
  const store = folder.open();
  for (const id of ['s', 'other'])
    store.createSession({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
  const database = openDatabase(join(folder.path, 'andiron.db'));
  const results = createToolResultStore(database, 250);
  results.keepResult('other', 'i', Buffer.alloc(200));
  for (const id of ['a', 'b', 'c']) results.keepResult('s', id, Buffer.alloc(100, id));
  expect(['a', 'b', 'c'].map((id) => results.keptResult('s', id)?.length ?? null)).toEqual([null, 100, 100]);
  expect(results.keptResult('other', 'i')?.length).toBe(200);
  database.close();
  // They count in what the session takes, and go with it.
  expect(store.sizeOfSessions().kept.bytes).toBe(400);
  store.hideSession('s', 1);
  store.purgeHidden(2);
  expect(store.keptResult('s', 'c')).toBeNull();
});

test('a whole result comes back as it was, whatever characters it has (audit-A6)', async () => {
  const text = `${'line\n'.repeat(100_000)}ä🔥 "\\`;
  const packed = await packText(text);
  expect(packed.length).toBeLessThan(text.length / 50);
  expect(await unpackText(packed)).toBe(text);
});
