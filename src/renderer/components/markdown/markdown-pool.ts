/** Markdown that is parsed in a worker, one request at a time, each within a bound. */
import type { StartWorker } from '../page-worker.ts';
import type { Lexed, LexReply, LexRequest, LexTask } from './lex.ts';
import workerAddress from './markdown-worker.ts?worker&url';

/** The part of a Worker that is used. */
export interface LexWorker {
  postMessage(task: LexTask): void;
  addEventListener(type: 'message', listener: (event: { data: LexReply }) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void;
  terminate(): void;
}

export interface MarkdownPool {
  /** Requests are answered in their order. null = it failed or took more than a second; the others are not lost. */
  lex: (request: LexRequest) => Promise<Lexed | null>;
}

export type After = (ms: number, callback: () => void) => () => void;

/** One request may take that long; then its worker is ended and another one takes the next request. */
const maxLexMs = 1_000;
/** To load, on a busy machine. */
const maxStartMs = 10_000;
/** A page that was held up itself first reads what has come meanwhile. */
const gracePeriodMs = 50;

interface Waiting {
  task: LexTask;
  resolve: (lexed: Lexed | null) => void;
}

export function createMarkdownPool(start: () => LexWorker, after: After): MarkdownPool {
  let worker: { thread: LexWorker; isReady: boolean } | null = null;
  let queue: Waiting[] = [];
  /** The first of the queue is with the worker. */
  let isRunning = false;
  let lastId = 0;
  let stopWatch: (() => void) | null = null;

  const watch = (ms: number): void => {
    stopWatch?.();
    stopWatch = after(ms, () => {
      stopWatch = after(gracePeriodMs, fail);
    });
  };

  const settle = (lexed: Lexed | null): void => {
    stopWatch?.();
    isRunning = false;
    const [first, ...others] = queue;
    queue = others;
    first?.resolve(lexed);
    next();
  };

  const fail = (): void => {
    worker?.thread.terminate();
    worker = null;
    settle(null);
  };

  const begin = (): void => {
    const thread = start();
    const own = { thread, isReady: false };
    worker = own;
    watch(maxStartMs);
    thread.addEventListener('message', ({ data }) => {
      if (worker !== own) return;
      if (data === 'ready') {
        own.isReady = true;
        stopWatch?.();
        next();
      } else if (isRunning && data.id === queue[0]?.task.id) settle(data.lexed);
    });
    const onError = (): void => {
      if (worker === own) fail();
    };
    thread.addEventListener('error', onError);
    thread.addEventListener('messageerror', onError);
  };

  const next = (): void => {
    const [first] = queue;
    if (!first || isRunning) return;
    if (!worker) {
      try {
        begin();
      } catch {
        settle(null);
      }
    } else if (worker.isReady) {
      isRunning = true;
      watch(maxLexMs);
      worker.thread.postMessage(first.task);
    }
  };

  return {
    lex(request) {
      lastId += 1;
      const task = { id: lastId, request };
      return new Promise((resolve) => {
        queue = [...queue, { task, resolve }];
        next();
      });
    },
  };
}

/** With a worker of the page. */
export function pageMarkdownPool(after: After, startWorker: StartWorker): MarkdownPool {
  return createMarkdownPool(() => startWorker(workerAddress, 'markdown'), after);
}
