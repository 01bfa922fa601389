import { expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { fakeFiles } from '../testing/fakes.ts';
import { openFitStore } from './fit-store.ts';

const numbers = {
  architecture: 'a',
  values: { x: [1, 2] },
  vocabulary: null,
  embeddings: null,
  draftTokens: 0,
};
const load = { contextTokens: 16_384, batch: 512, bytes: 6e9, onGpu: true };

test('what was learnt is there after a restart', async () => {
  const files = fakeFiles();
  const store = openFitStore(files, '/data/fits.json', silentLog);
  store.addLoad('d', load);
  store.setNumbers('d', numbers);
  await store.flushed();
  const again = openFitStore(files, '/data/fits.json', silentLog);
  expect(again.loads('d')).toEqual([load]);
  expect(again.numbers('d')).toEqual(numbers);
  expect(again.numbers('other')).toBeUndefined();
});

test('a plan is kept once, with its newest size; an unchanged one is not written again', async () => {
  const files = fakeFiles();
  const store = openFitStore(files, '/data/fits.json', silentLog);
  store.addLoad('d', load);
  store.addLoad('d', { ...load, bytes: 7e9 });
  await store.flushed();
  expect(store.loads('d')).toEqual([{ ...load, bytes: 7e9 }]);
  files.texts.clear();
  store.addLoad('d', { ...load, bytes: 7e9 });
  await store.flushed();
  expect(files.texts.size).toBe(0);
});

test('only so many loads and models are kept', () => {
  const store = openFitStore(fakeFiles(), null, silentLog);
  for (let count = 1; count <= 300; count += 1) store.addLoad(`model ${String(count)}`, load);
  for (let count = 1; count <= 50; count += 1) store.addLoad('d', { ...load, contextTokens: count });
  expect(store.loads('model 1')).toEqual([]);
  expect(store.loads('model 300')).toHaveLength(1);
  expect(store.loads('d')).toHaveLength(12);
});

test.each([['{'], ['{"version":1,"models":{"d":{"loads":[{"bytes":"many"}]}}}'], ['null']])(
  'a file that is not ours is left behind: %s',
  (text) => {
    const store = openFitStore(fakeFiles({ '/data/fits.json': text }), '/data/fits.json', silentLog);
    expect(store.loads('d')).toEqual([]);
  },
);
