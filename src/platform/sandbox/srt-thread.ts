/** Our side of the thread in which the sandbox runtime is. */
import { Worker } from 'node:worker_threads';
import type { SrtPolicy } from './srt-policy.ts';

export interface SrtQuestion {
  id: number;
  /** `linux` or `darwin`: what the line is for. */
  platform: string;
  /** Words for a shell. */
  command: string;
  /** The path of bubblewrap; unused on macOS. */
  bwrap: string;
  policy: SrtPolicy;
}

export type SrtAnswer = { id: number } & ({ line: string } | { error: string });

/** What it says first, once. */
export interface SrtReady {
  version: string;
}

export interface SrtThread {
  /** Of the runtime. */
  readonly version: string;
  /** Resolves with a line for a shell. Rejects with the runtime's own words, and when the thread has ended. */
  wrap(question: Omit<SrtQuestion, 'id'>): Promise<string>;
  /** To be called once for each line, when its command is over. */
  release(): void;
  close(): Promise<void>;
}

interface Pending {
  resolve: (line: string) => void;
  reject: (error: Error) => void;
}

/** Rejects when the runtime cannot be loaded. @param path in which the thread finds the programs of the system */
export async function startSrtThread(module: URL, path: string): Promise<SrtThread> {
  // Nothing of Andiron's own environment comes into what the runtime writes.
  const worker = new Worker(module, { env: { PATH: path } });
  const pending = new Map<number, Pending>();
  const ready = Promise.withResolvers<SrtReady>();
  let ended: Error | undefined;
  let lastId = 0;

  const end = (error: Error): void => {
    ended ??= error;
    ready.reject(ended);
    for (const { reject } of pending.values()) reject(ended);
    pending.clear();
  };
  worker.on('error', (error) => end(error instanceof Error ? error : new Error(String(error))));
  worker.on('exit', () => end(new Error('The sandbox runtime has ended. Start Andiron again.')));
  worker.on('message', (message: SrtReady | SrtAnswer) => {
    if ('version' in message) {
      ready.resolve(message);
      return;
    }
    const asked = pending.get(message.id);
    pending.delete(message.id);
    if ('line' in message) asked?.resolve(message.line);
    else asked?.reject(new Error(message.error));
  });

  const { version } = await ready.promise;
  // What is listened to holds the process, until it is said that it shall not.
  worker.unref();
  return {
    version,
    wrap: (question) =>
      new Promise((resolve, reject) => {
        if (ended) {
          reject(ended);
          return;
        }
        lastId += 1;
        pending.set(lastId, { resolve, reject });
        worker.postMessage({ ...question, id: lastId } satisfies SrtQuestion);
      }),
    release: () => worker.postMessage('release'),
    async close() {
      await worker.terminate();
    },
  };
}
