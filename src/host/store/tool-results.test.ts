import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from './sqlite.ts';
import { createToolResultStore, packText, unpackPiece, unpackText } from './tool-results.ts';
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

test('a whole result comes in pieces that make it up, however they are cut (audit-A6)', async () => {
  const text = 'aä€🔥'.repeat(100_000);
  const packed = await packText(text);
  for (const length of [99_999, 250_000, 500_000, 600_000]) {
    const pieces: string[] = [];
    for (let isLast = false; !isLast;) {
      const piece = await unpackPiece(packed, pieces.length * length, length);
      pieces.push(piece.text);
      isLast = piece.isLast;
    }
    expect(pieces.join('') === text).toBe(true);
    expect(pieces).toHaveLength(Math.ceil(text.length / length));
  }
  expect(await unpackPiece(packed, text.length + 1, 10)).toEqual({ text: '', isLast: true });
});

test('a piece of a whole result is had without inflating what comes after it (audit-A6)', async () => {
  const text = Array.from({ length: 200_000 }, (_, n) => (n * 7_919).toString(36)).join(' ');
  const half = (await packText(text)).slice(0, 200_000);
  expect(await unpackPiece(half, 1_000, 10_000)).toEqual({ text: text.slice(1_000, 11_000), isLast: false });
  await expect(unpackPiece(half, 0, text.length)).rejects.toThrow('unexpected end of file');
});
