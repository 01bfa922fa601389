import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import { draftFor, systemFiles } from '../../platform/files.ts';
import { systemEntryPlaces } from '../../platform/place-entry.ts';
import { silentLog } from '../../platform/log.ts';
import { storeFolder, summary } from '../store/testing.ts';
import { FileChanges } from './file-changes.ts';
import { createKeptContents } from './points/kept-contents.ts';

test('what a host that died had half written beside a file goes at the next start, and nothing else does', async () => {
  const folder = storeFolder();
  try {
    const store = folder.open();
    const path = join(folder.path, 'work', 'a.txt');
    store.createSession({ summary: summary(), workspaceReal: join(folder.path, 'work'), contextUsage: null });
    mkdirSync(join(folder.path, 'work'));
    for (const left of [draftFor(path), join(folder.path, 'work', '.andiron-notes.tmp')])
      writeFileSync(left, 'half');
    const change = { callId: null, kind: 'change', undoes: null, shown: 'a.txt', mode: null } as const;
    const lines = { afterMode: null, before: null, after: 'hash', added: 1, removed: 0 };
    for (const each of [path, join(folder.path, 'gone', 'b.txt')])
      store.beginFileStep('s', { ...change, ...lines, path: each, at: 1 }, null);

    const contents = createKeptContents(join(folder.path, 'undo'), systemFiles);
    const deps = {
      store,
      files: systemFiles,
      places: systemEntryPlaces,
      contents,
      clock: systemClock,
      log: silentLog,
    };
    await new FileChanges({ ...deps, isRunning: () => false, onChange: () => undefined }).recover();
    expect(readdirSync(join(folder.path, 'work'))).toEqual(['.andiron-notes.tmp']);
    expect(store.openFileSteps()).toEqual([]);
  } finally {
    folder.remove();
  }
});
