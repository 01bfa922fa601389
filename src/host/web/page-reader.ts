/**
 * Pages are read outside of this process, and its event loop never waits for one: in a Node in the sandbox where there are
 * both, else in a thread with little memory. Either is ended when it takes too long; what it has read by then counts.
 */
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { Clock } from '../../platform/clock.ts';
import type { Processes } from '../../platform/processes.ts';
import type { KeptStart, Sandbox } from '../../platform/sandbox/sandbox.ts';
import { parseJson } from '../../protocol/json.ts';
import { ToolFailure } from '../tools/tool.ts';
import type { PageText } from './page-text.ts';

export interface UnreadPage {
  html: string;
  url: string;
}

export interface PageReaderDeps {
  processes: Processes;
  sandbox: Sandbox;
  /** Andiron's data folder, in every spelling. */
  dataDirs: readonly string[];
  /** The Node that this program runs in; null = it is none, so pages are read in a thread. */
  nodePath: string | null;
  /** The built module; that of the source unless given. */
  module?: URL | undefined;
  clock: Clock;
}

const maxMs = 10_000;
const heapMegabytes = 256;
const memoryBytes = 512 * 1024 ** 2;
const maxOutput = 4_000_000;

const pageText = z.object({ title: z.string(), text: z.string() });

/** Rejects with ToolFailure where nothing could be read, and with the signal's reason. */
export type ReadPage = (page: UnreadPage, signal: AbortSignal) => Promise<PageText>;

export function createPageReader(deps: PageReaderDeps): ReadPage {
  const { clock, nodePath, module = new URL('page-reader-entry.ts', import.meta.url) } = deps;
  return async (page, signal) => {
    signal.throwIfAborted();
    const late = new AbortController();
    const timer = clock.after(maxMs, () => late.abort());
    const ending = AbortSignal.any([signal, late.signal]);
    let newest: PageText | null = null;
    try {
      const found = (read: PageText): void => void (newest = read);
      await (nodePath === null
        ? inThread(page, { module, found }, ending)
        : inProcess(page, { ...deps, nodePath, module, found }, ending));
    } finally {
      timer.cancel();
    }
    signal.throwIfAborted();
    if (newest !== null) return newest;
    throw new ToolFailure('This page takes too much to be read.', { advice: 'Read another source.' });
  };
}

interface Reading {
  module: URL;
  found: (read: PageText) => void;
}

/** Resolves when it has ended, whatever ended it. */
function inThread(page: UnreadPage, { module, found }: Reading, signal: AbortSignal): Promise<void> {
  const worker = new Worker(module, {
    workerData: page,
    env: {},
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
  });
  const end = (): void => void worker.terminate();
  signal.addEventListener('abort', end, { once: true });
  worker.on('message', (read: PageText) => found(read));
  // What it found before it broke counts.
  worker.on('error', () => undefined);
  return new Promise((resolve) => {
    worker.once('exit', () => {
      signal.removeEventListener('abort', end);
      resolve();
    });
  });
}

async function inProcess(
  page: UnreadPage,
  deps: Omit<PageReaderDeps, 'nodePath'> & Reading & { nodePath: string },
  signal: AbortSignal,
): Promise<void> {
  const { processes, nodePath, module, found } = deps;
  const entry = fileURLToPath(module);
  const start = {
    file: nodePath,
    args: [`--max-old-space-size=${String(heapMegabytes)}`, '--no-warnings', entry],
    cwd: '/',
  };
  const { env, release, ...kept } = await keepReader(start, entry, deps);
  let written = '';
  try {
    await processes.run({
      ...start,
      ...kept,
      env: { ...env },
      signal,
      memoryLimit: memoryBytes,
      outputLimit: maxOutput,
      onInput: (input) => input.end(JSON.stringify(page)),
      onOutput(stream, text) {
        if (stream === 'stdout') written += text;
      },
    });
  } finally {
    await release?.();
  }
  const last = written.slice(0, written.lastIndexOf('\n')).split('\n').at(-1);
  const read = last ? pageText.safeParse(parseJson(last)) : undefined;
  if (read?.success) found(read.data);
}

/** It reads Andiron's own program and nothing else, writes nothing and reaches no network. */
async function keepReader(
  start: Pick<KeptStart, 'file' | 'args' | 'cwd'>,
  entry: string,
  { sandbox, dataDirs }: Pick<PageReaderDeps, 'sandbox' | 'dataDirs'>,
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
