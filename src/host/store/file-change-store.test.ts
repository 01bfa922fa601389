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

const noise = (seed: number): Buffer => Buffer.from(Array.from({ length: 100 }, (_, n) => (n * seed) % 251));

test('contents are bounded from the oldest on, and one that a newer step needs as well is not old', () => {
  store.beginFileStep('s', step('shared'), noise(7));
  store.beginFileStep('s', step('old'), noise(11));
  store.beginFileStep('s', step('new'), noise(13));
  store.beginFileStep('s', step('shared'), noise(7));
  const each = store.keptContentBytes('s') / 3;
  store.boundContents('s', store.keptContentBytes('s'));
  expect(store.isContentKept('s', 'old')).toBe(true);
  store.boundContents('s', 2 * each + 20);
  const left = ['shared', 'old', 'new'].filter((hash) => store.isContentKept('s', hash));
  expect(left).toEqual(['shared', 'new']);
  store.boundContents('s', 0);
  expect(store.keptContentBytes('s')).toBe(0);
});

test('what other sessions keep is not touched where one is bounded', () => {
  store.createSession({ summary: summary({ id: 'other' }), workspaceReal: '/w', contextUsage: null });
  for (const session of ['s', 'other']) store.beginFileStep(session, step('hash-1'), stood);
  store.boundContents('s', 0);
  expect([store.isContentKept('s', 'hash-1'), store.isContentKept('other', 'hash-1')]).toEqual([false, true]);
});
