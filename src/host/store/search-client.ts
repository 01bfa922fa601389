/** The host's side of searching: one question at a time goes to a thread that can be given up at any moment. */
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { SearchResult } from './search.ts';

export interface SearchWorkerData {
  /** Of the database. */
  path: string;
  /** One number, shared: the id of the question whose answer somebody waits for. */
  wanted: SharedArrayBuffer;
}

export interface SearchQuestion {
  id: number;
  query: string;
  /** undefined = all sessions. */
  sessionId: string | undefined;
}

export type SearchAnswer = SearchResult & { id: number };

export interface SearchClient {
  /**
   * Resolves with what was found, in any case. A newer question of the same asker about the same takes the place of an
   * older one, which then is answered at once with nothing and `complete: false`.
   */
  search: (asker: object, query: string, sessionId?: string) => Promise<SearchResult>;
  /** Resolves when the thread has let go of the database, or after a moment all the same. */
  close(): Promise<void>;
}

export interface SearchClientDeps {
  /** Of the database. */
  path: string;
  /** The module of the thread. */
  worker: URL;
  clock: Clock;
  log: Log;
}

/** A thread that says nothing for so long is replaced. */
const maxSilenceMs = 2_000;
const maxCloseMs = 500;

interface Asked extends SearchQuestion {
  asker: object;
  resolve: (result: SearchResult) => void;
}

const nothing = (): SearchResult => ({ hits: [], complete: false });

export function createSearchClient({ path, worker: module, clock, log }: SearchClientDeps): SearchClient {
  const wanted = new SharedArrayBuffer(4);
  let worker: Worker | null = null;
  let waiting: Asked[] = [];
  let running: Asked | null = null;
  let silence: Timer | null = null;
  let lastId = 0;
  let isClosed = false;

  function finish(result: SearchResult): void {
    silence?.cancel();
    running?.resolve(result);
    running = null;
    next();
  }

  function start(): Worker {
    const data: SearchWorkerData = { path, wanted };
    const started = new Worker(module, { workerData: data });
    started.unref();
    started.on('message', ({ id, ...result }: SearchAnswer) => {
      if (running?.id === id && worker === started) finish(result);
    });
    started.on('error', (error) => giveUp(started, error));
    started.on('exit', () => giveUp(started, new Error('The thread has ended.')));
    return started;
  }

  function giveUp(given: Worker, error: Error): void {
    if (worker !== given) return;
    worker = null;
    void given.terminate();
    if (!isClosed) log.error('The search thread is replaced', error);
    finish(nothing());
  }

  function next(): void {
    if (running || isClosed) return;
    running = waiting.shift() ?? null;
    if (!running) return;
    const { id, query, sessionId } = running;
    const asked = (worker ??= start());
    Atomics.store(new Int32Array(wanted), 0, id);
    silence = clock.after(maxSilenceMs, () => giveUp(asked, new Error('It says nothing.')));
    asked.postMessage({ id, query, sessionId } satisfies SearchQuestion);
  }

  return {
    search: (asker, query, sessionId) =>
      new Promise((resolve) => {
        const isOlder = (other: Asked): boolean => other.asker === asker && other.sessionId === sessionId;
        for (const older of waiting.filter(isOlder)) older.resolve(nothing());
        waiting = waiting.filter((other) => !isOlder(other));
        // It is answered with what it has found so far.
        if (running && isOlder(running)) Atomics.store(new Int32Array(wanted), 0, 0);
        if (isClosed) resolve(nothing());
        else waiting.push({ id: (lastId += 1), query, sessionId, asker, resolve });
        next();
      }),
    async close() {
      isClosed = true;
      for (const asked of waiting.splice(0)) asked.resolve(nothing());
      const ended = worker;
      worker = null;
      finish(nothing());
      if (!ended) return;
      const late = Promise.withResolvers<void>();
      const timer = clock.after(maxCloseMs, late.resolve);
      await Promise.race([ended.terminate(), late.promise]);
      timer.cancel();
    },
  };
}
