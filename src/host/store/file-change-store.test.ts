import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NewFileStep } from './file-change-store.ts';
import type { Store } from './store.ts';
import { storeFolder, summary, type StoreFolder } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
});
afterEach(() => folder.remove());

const step = (before: string): NewFileStep => ({
  callId: null,
  kind: 'change',
  undoes: null,
  path: '/w/a',
  shown: 'a',
  before,
  after: 'hash-after',
  mode: null,
  afterMode: null,
  added: 1,
  removed: 1,
  at: 1,
});
const stood = Buffer.from('what stood there');

test('a step that did not happen takes what it kept with it (audit-A14)', () => {
  const id = store.beginFileStep('s', step('hash-1'), stood);
  expect(store.fileContent('s', 'hash-1')).toEqual(stood);
  store.dropFileStep(id);
  expect(store.isContentKept('s', 'hash-1')).toBe(false);
  expect(store.keptContentBytes('s')).toBe(0);
});

test('what a step kept stays when it did not happen but another step needs it (audit-A14)', () => {
  const first = store.beginFileStep('s', step('hash-1'), stood);
  store.settleFileStep(first);
  store.dropFileStep(store.beginFileStep('s', step('hash-1'), stood));
  expect(store.fileContent('s', 'hash-1')).toEqual(stood);
  expect(store.fileSteps('s').map(({ id }) => id)).toEqual([first]);
});
