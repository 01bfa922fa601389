/**
 * What is made by strangers is read outside of this process, and its event loop never waits for it: in a Node in the sandbox
 * where there are both, else in a thread with little memory. Either is ended when it takes too long; what it has answered by
 * then counts.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import type { Clock, Timer } from './clock.ts';
import type { Processes } from './processes.ts';
import type { KeptStart, Sandbox } from './sandbox/sandbox.ts';

export interface ContainedReaderDeps {
  processes: Processes;
  sandbox: Sandbox;
  /** Andiron's data folder, in every spelling. */
  dataDirs: readonly string[];
  /** The Node that this program runs in; null = it is none, so strangers' texts are read in a thread. */
  nodePath: string | null;
  clock: Clock;
}

export interface ReaderLimits {
  ms: number;
  heapMegabytes: number;
  /** Of the process, or by which this one grows while its thread reads. */
  memoryBytes: number;
  /** Characters of all answers. */
  outputLimit: number;
}

/** `done`: it came to its end. Anything else says what ended it before. */
export type ReaderEnd = 'done' | 'time' | 'memory' | 'output' | 'broke';

/**
 * Gives the input to a reader of its own and passes on its answers, which are JSON, as they come; they are untrusted.
 * Rejects with the signal's reason, and where no process can be started.
 */
export type ReadContained = (
  input: Uint8Array,
  onAnswer: (json: string) => void,
  signal: AbortSignal,
) => Promise<ReaderEnd>;

interface Reading {
  module: URL;
  limits: ReaderLimits;
  onAnswer: (json: string) => void;
  /** Fires at the time limit as well. */
  signal: AbortSignal;
}

/** @param module an entry that calls `answerContained` */
export function createContainedReader(
  deps: ContainedReaderDeps,
  module: URL,
  limits: ReaderLimits,
): ReadContained {
  const { clock, nodePath } = deps;
  return async (input, onAnswer, signal) => {
    signal.throwIfAborted();
    const late = new AbortController();
    const timer = clock.after(limits.ms, () => late.abort());
    const reading = { module, limits, onAnswer, signal: AbortSignal.any([signal, late.signal]) };
    try {
      const end = await (nodePath === null
        ? readInThread(input, reading, clock)
        : readInProcess(input, reading, { ...deps, nodePath }));
      signal.throwIfAborted();
      return late.signal.aborted ? 'time' : end;
    } finally {
      timer.cancel();
    }
  };
}

/** How often the memory of this process is looked at, in which buffers of a thread lie without a limit of their own. */
const memoryEveryMs = 200;

/**
 * A thread at its limit is given 16 MB more in which it ends. What is promoted at once must fit into them: else it is no
 * longer the thread that dies of its memory, but this process.
 */
const youngMegabytes = 8;

/** Resolves when it has ended, whatever ended it. */
function readInThread(
  input: Uint8Array,
  { module, limits, onAnswer, signal }: Reading,
  clock: Clock,
): Promise<ReaderEnd> {
  const worker = new Worker(module, {
    workerData: input,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: {
      maxOldGenerationSizeMb: limits.heapMegabytes,
      maxYoungGenerationSizeMb: youngMegabytes,
    },
  });
  let end: ReaderEnd = 'done';
  const terminate = (): void => void worker.terminate();
  signal.addEventListener('abort', terminate, { once: true });
  worker.on('message', (answer: unknown) => onAnswer(String(answer)));
  // What it found before it broke counts.
  worker.on('error', (error: NodeJS.ErrnoException) => {
    end = error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'broke';
  });
  const before = process.memoryUsage.rss();
  const watch = (): Timer =>
    clock.after(memoryEveryMs, () => {
      if (process.memoryUsage.rss() - before > limits.memoryBytes) {
        end = 'memory';
        terminate();
      } else timer = watch();
    });
  let timer = watch();
  return new Promise((resolve) => {
    worker.once('exit', () => {
      timer.cancel();
      signal.removeEventListener('abort', terminate);
      resolve(end);
    });
  });
}

async function readInProcess(
  input: Uint8Array,
  { module, limits, onAnswer, signal }: Reading,
  deps: ContainedReaderDeps & { nodePath: string },
): Promise<ReaderEnd> {
  const entry = fileURLToPath(module);
  const start = {
    file: deps.nodePath,
    args: [`--max-old-space-size=${String(limits.heapMegabytes)}`, '--no-warnings', entry],
    cwd: '/',
  };
  const { env, release, ...kept } = await keepReader(start, entry, deps);
  let rest = '';
  let errors = '';
  try {
    const end = await deps.processes.run({
      ...start,
      ...kept,
      env: { ...env },
      signal,
      memoryLimit: limits.memoryBytes,
      outputLimit: limits.outputLimit,
      onInput: (stdin) => stdin.end(input),
      onOutput(stream, text) {
        if (stream === 'stderr') {
          errors = (errors + text).slice(-maxErrors);
          return;
        }
        const lines = (rest + text).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) onAnswer(line);
      },
    });
    if (end.killed === 'output_limit') return 'output';
    if (end.killed === 'memory_limit' || outOfMemory.test(errors)) return 'memory';
    return end.exitCode === 0 ? 'done' : 'broke';
  } finally {
    await release?.();
  }
}

const maxErrors = 20_000;
/** As V8 says that its heap is full, or that no buffer can be had. */
const outOfMemory = /heap out of memory|allocation failed/i;

/** It reads Andiron's own program and nothing else, writes nothing and reaches no network. */
async function keepReader(
  start: Pick<KeptStart, 'file' | 'args' | 'cwd'>,
  entry: string,
  { sandbox, dataDirs }: Pick<ContainedReaderDeps, 'sandbox' | 'dataDirs'>,
): Promise<KeptStart> {
  if (sandbox.status.kind === 'none') return start;
  return sandbox.keep(start, {
    hidden: dataDirs,
    writable: [],
    readOnly: [],
    masked: [],
    readable: [dirname(start.file), programRoot(entry)],
    proxy: null,
  });
}

/** What was built lies in one folder; the source needs its packages. */
function programRoot(entry: string): string {
  const at = entry.lastIndexOf('/src/host/');
  return entry.endsWith('.ts') && at !== -1 ? entry.slice(0, at) : dirname(entry);
}
