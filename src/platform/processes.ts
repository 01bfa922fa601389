/**
 * Child processes as an edge that is handed in. A command is over only when everything is over that it started, in its
 * process group or out of it: no side effect comes after the result.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import { systemClock, type Clock } from './clock.ts';
import { commandVariable, createMark, gate } from './command-mark.ts';
import { createCommandTree, type CommandTree } from './command-tree.ts';
import { useMoreMemory } from './memory-use.ts';
import { withUmask } from './umask.ts';

export interface ProcessRequest {
  file: string;
  args: readonly string[];
  /** Windows: `args` are joined as they are, without quoting. */
  verbatim?: boolean;
  cwd: string;
  /** What it starts ends with it: whoever is still there is on the way out, and no leftover yet. */
  isContained?: boolean;
  env: Record<string, string>;
  /** Pieces as they come, decoded as UTF-8. */
  onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Ends it and all that belongs to it; also the way to set a time limit. */
  signal: AbortSignal;
  /** Gets its input once it is started; it has none unless given. Whatever cannot be written is dropped. */
  onInput?: (input: Writable) => void;
  /** Characters of one stream after which the process is ended: a flood helps nobody. */
  outputLimit: number;
  /** Bytes of memory that it and all that it started may use together; looked at every second, on Linux. */
  memoryLimit?: number;
}

type KillReason = 'cancelled' | 'output_limit' | 'memory_limit';

export interface ProcessEnd {
  /** null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** Why it was ended from here; null = it ended by itself. */
  killed: KillReason | null;
  /** It left processes behind in the background; they were ended, wherever they went. */
  leftovers: boolean;
  /** Processes of it that could not be ended, such as those of another user. */
  unended: number;
}

export interface Processes {
  /** Of Andiron itself. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Resolves when the process and all that it started are gone. Rejects when it could not be started. */
  run(request: ProcessRequest): Promise<ProcessEnd>;
}

/** Where groups are written down, so that what a dead host leaves behind can be found. */
export interface GroupJournal {
  /** Returns once it is on disk. The processes of the command carry the mark. */
  begun(pid: number, mark: string): void;
  /** Nobody of the command lives any more. */
  ended(pid: number): void;
}

/** How long its pipes may take to close once everything is gone. */
const closeMs = 1_000;
/** How long what is contained may take to vanish behind its first process. */
const vanishMs = 1_000;
const vanishPollMs = 5;

/** @param umask what new files of a command do without; as this process unless given */
export function createProcesses(clock: Clock, journal?: GroupJournal, umask?: number): Processes {
  return {
    environment: process.env,
    run: (request) => runInGroup(request, createMark(), clock, { journal, umask }),
  };
}

export const systemProcesses: Processes = createProcesses(systemClock);

/** What every command of a host has in common. */
interface CommandDefaults {
  journal: GroupJournal | undefined;
  umask: number | undefined;
}

type Child = ChildProcess & { stdout: Readable; stderr: Readable };

async function runInGroup(
  request: ProcessRequest,
  mark: string,
  clock: Clock,
  defaults: CommandDefaults,
): Promise<ProcessEnd> {
  const { signal } = request;
  // A gate starts whatever stands behind it; a program that is missing must still be told.
  if (hasGate && isAbsolute(request.file)) await access(request.file, constants.X_OK);
  if (signal.aborted)
    return { exitCode: null, signal: null, killed: 'cancelled', leftovers: false, unended: 0 };
  const { child, tree } = begin(request, mark, clock, defaults);
  const closed = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<Pick<ProcessEnd, 'exitCode' | 'signal'>>();
  child.once('close', () => closed.resolve());
  child.once('exit', (exitCode, signal) => exited.resolve({ exitCode, signal }));
  child.once('error', (error) => exited.reject(error));
  // Without a pid the error is on its way, and there may be no pipes either.
  if (child.pid === undefined) await exited.promise;

  let killed: KillReason | null = null;
  let ending: Promise<number> | undefined;
  const end = (reason: KillReason): void => {
    killed ??= reason;
    ending ??= tree.end();
  };
  const onAbort = (): void => end('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  forwardOutput(child, request, () => end('output_limit'));
  // It may end while somebody writes.
  child.stdin?.on('error', () => undefined);
  if (child.stdin) request.onInput?.(child.stdin);
  const { memoryLimit } = request;
  if (memoryLimit !== undefined)
    tree.watch((pids) => useMoreMemory(pids, memoryLimit) && end('memory_limit'));
  try {
    const { exitCode, signal } = await exited.promise;
    const isLeft = ending === undefined && (await isThere(tree, request.isContained ? vanishMs : 0, clock));
    // A stop may have come while it was looked for.
    const leftovers = isLeft && killed === null;
    if (leftovers) ending ??= tree.end();
    const unended = (await ending) ?? 0;
    await within(closed.promise, closeMs, clock);
    return { exitCode, signal, killed, leftovers, unended };
  } finally {
    signal.removeEventListener('abort', onAbort);
    tree.forget();
    // A process that could not be ended may still hold them open.
    for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
    if (child.pid !== undefined) defaults.journal?.ended(child.pid);
  }
}

/** Still, after so long. */
async function isThere(tree: CommandTree, patienceMs: number, clock: Clock): Promise<boolean> {
  const last = clock.monotonic() + patienceMs;
  while (await tree.isAlive()) {
    if (clock.monotonic() >= last) return true;
    await new Promise<void>((resolve) => clock.after(vanishPollMs, resolve));
  }
  return false;
}

/** Windows has none: there the program begins at once. */
const hasGate = process.platform !== 'win32';

/** The program begins once it is marked and in the journal: whenever the host dies, nothing that it began is forgotten. */
function begin(
  request: ProcessRequest,
  mark: string,
  clock: Clock,
  { journal, umask }: CommandDefaults,
): { child: Child; tree: CommandTree } {
  const child = withUmask(umask, () => start(request, mark));
  const tree = createCommandTree(child, mark, clock);
  // Without a process there may be no pipes either.
  if (child.pid === undefined) return { child, tree };
  const go = child.stdio[3];
  // Stopped before it began, it does not listen any more.
  go?.on('error', () => undefined);
  try {
    journal?.begun(child.pid, mark);
    if (go instanceof Writable) go.end(`${mark}\n`, () => go.destroy());
    return { child, tree };
  } catch (error) {
    tree.forget();
    go?.destroy();
    throw error;
  }
}

function start({ file, args, cwd, env, verbatim = false, onInput }: ProcessRequest, mark: string): Child {
  const gated = hasGate ? { file: '/bin/sh', args: ['-c', gate, 'sh', file, ...args] } : { file, args };
  return spawn(gated.file, gated.args, {
    cwd,
    env: { ...env, [commandVariable]: mark },
    stdio: [onInput ? 'pipe' : 'ignore', 'pipe', 'pipe', ...(hasGate ? (['pipe'] as const) : [])],
    detached: hasGate,
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  }) as Child;
}

function forwardOutput(child: Child, { onOutput, outputLimit }: ProcessRequest, onFlood: () => void): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    let left = outputLimit;
    child[stream].setEncoding('utf8');
    child[stream].on('data', (text: string) => {
      if (left <= 0) return;
      onOutput(stream, text.slice(0, left));
      left -= text.length;
      if (left <= 0) onFlood();
    });
  }
}

async function within(work: Promise<void>, ms: number, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = clock.after(ms, late.resolve);
  await Promise.race([work, late.promise]);
  timer.cancel();
}
