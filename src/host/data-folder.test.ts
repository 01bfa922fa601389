import { expect, it } from 'vitest';
import { systemClock } from '../platform/clock.ts';
import { systemFiles } from '../platform/files.ts';
import { storeFolder, summary } from './store/testing.ts';
import { allLines, createReadLedger } from './tools/read-ledger.ts';
import { createUpkeep } from './data-folder.ts';

it('what was known of a deleted session goes when it cannot be had back, and not before', async () => {
  const folder = storeFolder();
  const store = folder.open();
  const readLedger = createReadLedger();
  for (const id of ['kept', 'deleted']) {
    store.createSession({ summary: summary({ id }), workspaceReal: '/w', contextUsage: null });
    readLedger.saw({ sessionId: id, data: {} }, '/w/a', 'as it was', allLines);
  }
  const forgotten: string[] = [];
  const upkeep = createUpkeep({
    store,
    files: systemFiles,
    dataDir: folder.path,
    clock: systemClock,
    removeFile: () => Promise.resolve(),
    forget(sessionId) {
      forgotten.push(sessionId);
      readLedger.forget(sessionId);
      return Promise.resolve();
    },
    freeBytes: () => Promise.resolve(null),
  });
  store.hideSession('deleted', 1);
  expect(readLedger.seen('deleted', '/w/a')).toBe('as it was');
  expect(await upkeep.purge()).toBe(1);
  expect(forgotten).toEqual(['deleted']);
  expect([readLedger.seen('deleted', '/w/a'), readLedger.seen('kept', '/w/a')]).toEqual([
    undefined,
    'as it was',
  ]);
  folder.remove();
});
