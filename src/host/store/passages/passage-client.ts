/** The host's side of the index of passages: whatever it asks, a thread does, in the order in which it is asked. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../../../platform/log.ts';
import { AndironError } from '../../../protocol/errors.ts';
import type { PassageStore } from './passage-store.ts';

export interface PassageThreadData {
  /** Of the database. */
  path: string;
}

type Calls = keyof PassageStore;

export interface PassageCall {
  id: number;
  call: Calls;
  args: readonly unknown[];
}

export type PassageAnswer =
  | { id: number; ok: true; result: ReturnType<PassageStore[Calls]> }
  | { id: number; ok: false; code: AndironError['code']; message: string };

/** As the store does it, but later. Rejects with AndironError. */
export type PassageIndex = {
  [Call in Calls]: (...args: Parameters<PassageStore[Call]>) => Promise<ReturnType<PassageStore[Call]>>;
} & { close(): Promise<void> };

interface Pending {
  resolve: (result: unknown) => void;
  reject: (error: AndironError) => void;
}

export interface PassageClientDeps {
  path: string;
  /** The module of the thread. */
  module: URL;
  log: Log;
}

/** Nothing runs before something is asked. A thread that dies is replaced at the next question. */
export function createPassageClient({ path, module, log }: PassageClientDeps): PassageIndex {
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let lastId = 0;
  let isClosed = false;

  function start(): Worker {
    const started = new Worker(module, { workerData: { path } satisfies PassageThreadData });
    started.unref();
    started.on('message', (answer: PassageAnswer) => {
      const asked = pending.get(answer.id);
      pending.delete(answer.id);
      if (answer.ok) asked?.resolve(answer.result);
      else asked?.reject(new AndironError(answer.code, answer.message));
    });
    started.on('error', (error) => ended(started, error));
    started.on('exit', () => ended(started, new Error('The thread has ended.')));
    return started;
  }

  function ended(gone: Worker, error: Error): void {
    if (worker !== gone) return;
    worker = null;
    if (!isClosed) log.error('The index of collections is opened again', error);
    const waiting = [...pending.values()];
    pending.clear();
    for (const { reject } of waiting) reject(broken(error));
  }

  const ask =
    <Call extends Calls>(call: Call) =>
    (...args: Parameters<PassageStore[Call]>): Promise<ReturnType<PassageStore[Call]>> =>
      new Promise((resolve, reject) => {
        if (isClosed) {
          reject(new AndironError('cancelled', 'Andiron is ending.'));
          return;
        }
        worker ??= start();
        lastId += 1;
        pending.set(lastId, { resolve: resolve as Pending['resolve'], reject });
        worker.postMessage({ id: lastId, call, args } satisfies PassageCall);
      });

  return {
    files: ask('files'),
    unread: ask('unread'),
    counts: ask('counts'),
    put: ask('put'),
    putFailure: ask('putFailure'),
    forgetFailed: ask('forgetFailed'),
    drop: ask('drop'),
    remove: ask('remove'),
    withoutVector: ask('withoutVector'),
    putVectors: ask('putVectors'),
    search: ask('search'),
    rest: ask('rest'),
    async close() {
      isClosed = true;
      const open = worker;
      if (!open) return;
      ended(open, new Error('Andiron is ending.'));
      await open.terminate();
    },
  };
}

const broken = (cause: Error): AndironError =>
  new AndironError(
    'storage',
    'The index of collections stopped working.',
    'Try again. Andiron opens or rebuilds it.',
    { cause },
  );
