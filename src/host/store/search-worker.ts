/** Where searching happens: a thread that only reads, so that nobody waits for it. */
import { parentPort, workerData } from 'node:worker_threads';
import { silentLog } from '../../platform/log.ts';
import { createJsonReader } from './json.ts';
import type { SearchAnswer, SearchQuestion, SearchWorkerData } from './search-client.ts';
import { createSearchStore } from './search.ts';
import { openReadOnly } from './sqlite.ts';

/** A person does not wait longer for the last of what may be there. */
const maxMs = 500;
const maxHits = 50;

const { path, wanted } = workerData as SearchWorkerData;
const newest = new Int32Array(wanted);
const database = openReadOnly(path);
// What is damaged is logged by whoever shows it.
const store = createSearchStore(database, createJsonReader(silentLog));

parentPort?.on('message', ({ id, query, sessionId }: SearchQuestion) => {
  const began = performance.now();
  const goOn = (): boolean => Atomics.load(newest, 0) === id && performance.now() - began < maxMs;
  const limits = { hits: maxHits, goOn };
  // One transaction, so that all of it is seen as it is now.
  const result = database.snapshot(() =>
    sessionId === undefined ? store.search(query, limits) : store.searchIn(sessionId, query, limits),
  );
  parentPort?.postMessage({ id, ...result } satisfies SearchAnswer);
});
