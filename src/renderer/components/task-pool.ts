/** Tasks for a worker, one at a time, each within a bound: one that hangs costs its worker, and the others are not lost. */

export interface Task<Request> {
  id: number;
  request: Request;
}

/** 'ready' comes once, when the worker has loaded. */
export type TaskReply<Answer> = 'ready' | { id: number; answer: Answer };

/** The part of a Worker that is used. */
export interface TaskWorker<Request, Answer> {
  postMessage(task: Task<Request>): void;
  addEventListener(type: 'message', listener: (event: { data: TaskReply<Answer> }) => void): void;
  addEventListener(type: 'error' | 'messageerror', listener: () => void): void;
  terminate(): void;
}

export type After = (ms: number, callback: () => void) => () => void;

/** Tasks are answered in their order. null = it failed or took too long. */
export type RunTask<Request, Answer> = (request: Request) => Promise<Answer | null>;

interface Waiting<Request, Answer> {
  task: Task<Request>;
  resolve: (answer: Answer | null) => void;
}

/** To load, on a busy machine. */
const maxStartMs = 10_000;
/** A page that was held up itself first reads what has come meanwhile. */
const gracePeriodMs = 50;

/** @param maxMs one task may take that long; then its worker is ended and another one takes the next task */
export function createTaskPool<Request, Answer>(
  start: () => TaskWorker<Request, Answer>,
  after: After,
  maxMs: number,
): RunTask<Request, Answer> {
  let worker: { thread: TaskWorker<Request, Answer>; isReady: boolean } | null = null;
  let queue: Waiting<Request, Answer>[] = [];
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

  const settle = (answer: Answer | null): void => {
    stopWatch?.();
    isRunning = false;
    const [first, ...others] = queue;
    queue = others;
    first?.resolve(answer);
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
      } else if (isRunning && data.id === queue[0]?.task.id) settle(data.answer);
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
      watch(maxMs);
      worker.thread.postMessage(first.task);
    }
  };

  return (request) => {
    lastId += 1;
    const task = { id: lastId, request };
    return new Promise((resolve) => {
      queue = [...queue, { task, resolve }];
      next();
    });
  };
}

/** What of a worker's global scope is used; the page's types stand in the way of its own. */
interface WorkerScope {
  addEventListener(type: 'message', listener: (event: MessageEvent<Task<never>>) => void): void;
  postMessage(message: TaskReply<unknown>): void;
}

/** The worker's side. `answer` takes what the pool is given. */
export function answerTasks(answer: (request: never) => unknown): void {
  const scope = globalThis as unknown as WorkerScope;
  scope.addEventListener('message', ({ data: { id, request } }) => {
    scope.postMessage({ id, answer: answer(request) });
  });
  scope.postMessage('ready');
}
