/** The thread that searches: what its host sees of it when it is asked too much, hangs, dies or is closed. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import { createSearchClient, type SearchClient } from './search-client.ts';
import { databaseFile } from './store.ts';
import { storeFolder, summary, textItem } from './testing.ts';

const nothing = { hits: [], complete: false };
const source = new URL('search-worker.ts', import.meta.url);
const ends: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

const errors: string[] = [];
const log: Log = {
  info() {},
  warn() {},
  error: (message, error) => void errors.push(`${message}: ${String(error)}`),
};

function client(path: string, worker: URL): SearchClient {
  const made = createSearchClient({ path, worker, clock: systemClock, log });
  ends.push(() => made.close());
  return made;
}

function filled(): string {
  const folder = storeFolder();
  ends.push(() => folder.remove());
  const store = folder.open();
  store.createSession({ summary: summary(), workspaceReal: '/w', contextUsage: null });
  store.transaction(() => {
    for (let index = 0; index < 3_000; index += 1)
      store.saveItem('s', textItem(index, { text: index === 0 ? 'a needle' : 'hay '.repeat(50) }));
  });
  return join(folder.path, databaseFile);
}

/** A thread that does what this code says. */
function thread(code: string): URL {
  const folder = mkdtempSync(join(tmpdir(), 'andiron-thread-'));
  ends.push(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'thread.mjs');
  writeFileSync(path, `import { parentPort, workerData } from 'node:worker_threads';\n${code}`);
  return pathToFileURL(path);
}

test('The newest question of a window is answered, older ones with nothing at once', async () => {
  const { search } = client(filled(), source);
  const [window, other] = [{}, {}];
  // Long to answer: two letters are in no index.
  const first = search(window, 'zq');
  const dropped = search(window, 'n');
  const [newest, inOne, ofOther] = [
    search(window, 'needle'),
    search(window, 'needle', 's'),
    search(other, 'needle'),
  ];
  expect(await dropped).toEqual(nothing);
  expect(await first).toEqual(nothing);
  for (const asked of [newest, inOne, ofOther])
    expect(await asked).toMatchObject({ hits: [{ itemId: 'i0' }], complete: true });
});

test('A thread that says nothing is replaced, and the next question is answered', async () => {
  const path = filled();
  const hanging = thread(`
    import { existsSync, writeFileSync } from 'node:fs';
    const mark = workerData.path + '-asked';
    parentPort.on('message', ({ id }) => {
      if (existsSync(mark)) return parentPort.postMessage({ id, hits: [], complete: true });
      writeFileSync(mark, '');
      for (;;);
    });`);
  const { search } = client(path, hanging);
  const began = performance.now();
  expect(await search({}, 'a')).toEqual(nothing);
  expect(performance.now() - began).toBeGreaterThan(1_900);
  expect(errors.join()).toContain('It says nothing');
  expect(await search({}, 'a')).toEqual({ hits: [], complete: true });
});

test('A thread that fails, ends or cannot start leaves its question answered with nothing', async () => {
  for (const code of [
    'throw new Error("broken")',
    'parentPort.on("message", () => process.exit(3))',
    'import "gone"',
  ]) {
    const { search } = client(filled(), thread(code));
    expect(await search({}, 'needle')).toEqual(nothing);
    expect(await search({}, 'needle')).toEqual(nothing);
  }
});

test('An answer that comes after its question was given up is not taken for another', async () => {
  const late = thread(
    'parentPort.on("message", ({ id }) => parentPort.postMessage({ id: id - 1, hits: [1], complete: true }))',
  );
  const { search } = client(filled(), late);
  expect(await search({}, 'needle')).toEqual(nothing);
});

test('Closing answers what is asked, lets go of the database, and waits for no thread that hangs', async () => {
  const busy = client(filled(), source);
  const asked = [busy.search({}, 'zq'), busy.search({}, 'qz')];
  await busy.close();
  expect(await Promise.all(asked)).toEqual([nothing, nothing]);
  expect(await busy.search({}, 'needle')).toEqual(nothing);
  const hanging = client(filled(), thread('parentPort.on("message", () => { for (;;); })'));
  const unanswered = hanging.search({}, 'needle');
  const began = performance.now();
  await hanging.close();
  expect(performance.now() - began).toBeLessThan(1_500);
  expect(await unanswered).toEqual(nothing);
});
