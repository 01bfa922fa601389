import { afterEach, beforeEach, expect, it } from 'vitest';
import { skippableClock } from '../../../test/helpers/skippable-clock.ts';
import type { Store } from '../store/store.ts';
import { storeFolder, summary, type StoreFolder } from '../store/testing.ts';
import { createMemoryWork, type MemoryWorkDeps } from './memory-work.ts';

const minute = 60_000;
const broken = (): never => {
  throw new Error('disk I/O error');
};

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
  for (const id of ['one', 'two']) {
    const row = summary({ id, status: 'idle' });
    store.createSession({ summary: row, workspaceReal: row.workspace, contextUsage: null });
    store.appendContext(id, [{ role: 'user', content: 'My editor is Vim.' }]);
  }
});
afterEach(() => folder.remove());

/** Looks once, and says which sessions were opened to be learnt from. */
async function opened(over: Partial<Store>): Promise<string[]> {
  const clock = skippableClock();
  const ids: string[] = [];
  const deps: Partial<MemoryWorkDeps> = {
    store: { ...store, ...over },
    clock,
    log: {
      info() {},
      warn() {},
      error: (message, _error, fields) => void folder.errors.push({ message, fields }),
    },
    // What is learnt then is told in test/host/memory-work.test.ts.
    open(id) {
      ids.push(id);
      return broken();
    },
  };
  const work = createMemoryWork(deps as MemoryWorkDeps);
  clock.skip(6 * minute);
  await work.close();
  return ids;
}

it('a session whose record cannot be read is logged, and the next one is looked at', async () => {
  expect(
    await opened({ readExtraction: (id) => (id === 'one' ? broken() : store.readExtraction(id)) }),
  ).toEqual(['two']);
  expect(folder.errors.map(({ fields }) => fields)).toEqual([{ sessionId: 'one' }, { sessionId: 'two' }]);
});

it('a list of sessions that cannot be read is logged and ends nothing', async () => {
  expect(await opened({ listSessions: broken })).toEqual([]);
  expect(folder.errors).toHaveLength(1);
});

it('whether a session is due is known without reading one of its messages', async () => {
  store.writeExtraction('one', {
    generation: store.generation('one'),
    position: 1,
    status: 'extracted',
    problem: null,
    attempts: 0,
    at: 1,
  });
  expect(await opened({ readContext: broken })).toEqual(['two']);
  store.appendContext('one', [{ role: 'user', content: 'And my shell is fish.' }]);
  expect(await opened({ readContext: broken })).toEqual(['one', 'two']);
});
