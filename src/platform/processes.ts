/**
 * Child processes as an edge that is handed in. A command runs in a process group of its own and is over only when
 * the whole group is: no side effect comes after the result (design 6).
 */
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { access, constants, readdir, readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { Writable, type Readable } from 'node:stream';
import type { Clock } from './clock.ts';
import { systemClock } from './clock.ts';
import { hasCode } from './files.ts';

export interface ProcessRequest {
  file: string;
  args: readonly string[];
  /** Windows: `args` are joined as they are, without quoting. */
  verbatim?: boolean;
  cwd: string;
  env: Record<string, string>;
  /** Pieces as they come, decoded as UTF-8. */
  onOutput: (stream: 'stdout' | 'stderr', text: string) => void;
  /** Ends it and all that belongs to it; also the way to set a time limit. */
  signal: AbortSignal;
  /** Characters of one stream after which the process is ended: a flood helps nobody. */
  outputLimit: number;
}

export type KillReason = 'cancelled' | 'output_limit';

export interface ProcessEnd {
  /** null when a signal ended it. */
  exitCode: number | null;
  signal: string | null;
  /** Why it was ended from here; null = it ended by itself. */
  killed: KillReason | null;
  /** It left processes behind in the background; they were ended. */
  leftovers: boolean;
}

export interface Processes {
  /** Of Andiron itself. */
  environment: Readonly<Record<string, string | undefined>>;
  /** Resolves when the process and its group are gone. Rejects when it could not be started. */
  run(request: ProcessRequest): Promise<ProcessEnd>;
}

/** Where groups are written down, so that what a dead host leaves behind can be found (design 6). */
export interface GroupJournal {
  /** Returns once it is on disk. */
  begun(pid: number): void;
  /** Nobody of the group lives any more. */
  ended(pid: number): void;
}

/** From the polite signal to the final one. */
const graceMs = 2_000;
/** How long a group that got the final signal may take to vanish, and its pipes to close. */
const vanishMs = 1_000;
const pollMs = 20;

export function createProcesses(clock: Clock, journal?: GroupJournal): Processes {
  return {
    environment: process.env,
    run: (request) => runInGroup(request, clock, journal),
  };
}

export const systemProcesses: Processes = createProcesses(systemClock);

type Child = ChildProcess & { stdout: Readable; stderr: Readable };

async function runInGroup(
  request: ProcessRequest,
  clock: Clock,
  journal: GroupJournal | undefined,
): Promise<ProcessEnd> {
  const { signal } = request;
  // A gate starts whatever stands behind it; a program that is missing must still be told.
  if (journal && isAbsolute(request.file)) await access(request.file, constants.X_OK);
  if (signal.aborted) return { exitCode: null, signal: null, killed: 'cancelled', leftovers: false };
  const child = journal ? startJournalled(request, journal) : start(request);
  const closed = Promise.withResolvers<void>();
  const exited = Promise.withResolvers<Pick<ProcessEnd, 'exitCode' | 'signal'>>();
  child.once('close', () => closed.resolve());
  child.once('exit', (exitCode, signal) => exited.resolve({ exitCode, signal }));
  child.once('error', (error) => exited.reject(error));
  // Without a pid the error is on its way, and there may be no pipes either.
  if (child.pid === undefined) await exited.promise;

  let killed: KillReason | null = null;
  let ending: Promise<void> | undefined;
  const end = (reason: KillReason): void => {
    killed ??= reason;
    ending ??= endTree(child, clock);
  };
  const onAbort = (): void => end('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  forwardOutput(child, request, () => end('output_limit'));
  try {
    const { exitCode, signal } = await exited.promise;
    // Whatever is still in the group runs in the background.
    const leftovers = ending === undefined && (await treeLives(child));
    await (ending ?? (leftovers ? endTree(child, clock) : undefined));
    await within(closed.promise, vanishMs, clock);
    return { exitCode, signal, killed, leftovers };
  } finally {
    signal.removeEventListener('abort', onAbort);
    // A process that left its group may still hold them open.
    child.stdout.destroy();
    child.stderr.destroy();
    if (child.pid !== undefined) journal?.ended(child.pid);
  }
}

function start(
  { file, args, cwd, env, verbatim = false }: ProcessRequest,
  more: readonly 'pipe'[] = [],
): Child {
  return spawn(file, args, {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe', ...more],
    detached: process.platform !== 'win32',
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  }) as Child;
}

/** Becomes the program once it is told to. When whoever started it dies before that, it ends and nothing has begun. */
const gate = 'read -r go <&3 || exit; exec 3<&-; exec "$@"';

/** The program begins when its group is in the journal: whenever the host dies, nothing that it began is forgotten. */
function startJournalled(request: ProcessRequest, journal: GroupJournal): Child {
  const hasGate = process.platform !== 'win32';
  const args = ['-c', gate, 'sh', request.file, ...request.args];
  const child = hasGate ? start({ ...request, file: '/bin/sh', args }, ['pipe']) : start(request);
  if (child.pid === undefined) return child;
  const go = child.stdio[3];
  // Stopped before it began, it does not listen any more.
  go?.on('error', () => undefined);
  try {
    journal.begun(child.pid);
    if (go instanceof Writable) go.end('go\n', () => go.destroy());
    return child;
  } catch (error) {
    go?.destroy();
    throw error;
  }
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

async function endTree(child: Child, clock: Clock): Promise<void> {
  signalTree(child, false);
  if (await vanishes(child, graceMs, clock)) return;
  signalTree(child, true);
  await vanishes(child, vanishMs, clock);
}

/** Members of the group are not our children, so nobody tells when they end. */
async function vanishes(child: Child, ms: number, clock: Clock): Promise<boolean> {
  const until = clock.monotonic() + ms;
  while (await treeLives(child)) {
    if (clock.monotonic() >= until) return false;
    await new Promise<void>((resolve) => {
      clock.after(pollMs, resolve);
    });
  }
  return true;
}

async function treeLives(child: Child): Promise<boolean> {
  if (process.platform === 'win32') return child.exitCode === null && child.signalCode === null;
  if (child.pid === undefined || !reaches(-child.pid, 0)) return false;
  return process.platform !== 'linux' || (await hasLiveMember(child.pid));
}

/**
 * Linux: a dead process keeps its group until init collects it, which in a container can take seconds. A group that
 * cannot be looked at lives: it is then made to end all the same.
 */
async function hasLiveMember(group: number): Promise<boolean> {
  try {
    const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
    return (await Promise.all(pids.map((pid) => isLiveMember(pid, group)))).includes(true);
  } catch {
    return true;
  }
}

async function isLiveMember(pid: string, group: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ESRCH')) return '';
    throw error;
  });
  // After the name in parentheses: state, parent, group.
  const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(processGroup) === group && state !== 'Z' && state !== 'X';
}

function signalTree(child: Child, force: boolean): void {
  if (child.pid === undefined) return;
  const step = endStep(process.platform, child.pid, force);
  if ('signal' in step) reaches(step.target, step.signal);
  else spawn(step.file, step.args, { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill());
}

/** A tree whose starter is dead. Returns when it was signalled. */
export function endTreeNow(pid: number): void {
  const step = endStep(process.platform, pid, true);
  if ('signal' in step) reaches(step.target, step.signal);
  else spawnSync(step.file, step.args, { stdio: 'ignore', windowsHide: true });
}

/** How a tree is asked (`force` false) or made to end. Pure, so that Windows is tested everywhere. */
export function endStep(
  platform: string,
  pid: number,
  force: boolean,
): { target: number; signal: NodeJS.Signals } | { file: string; args: string[] } {
  if (platform !== 'win32') return { target: -pid, signal: force ? 'SIGKILL' : 'SIGTERM' };
  return { file: 'taskkill', args: ['/PID', String(pid), '/T', ...(force ? ['/F'] : [])] };
}

/** The command line of a person's shell. cmd takes everything between the outer quotes as it is. */
export function shellCommand(
  platform: string,
  command: string,
  environment: Readonly<Record<string, string | undefined>>,
): Pick<ProcessRequest, 'file' | 'args' | 'verbatim'> {
  if (platform !== 'win32') return { file: '/bin/sh', args: ['-c', command] };
  const file = environment['ComSpec'] ?? 'cmd.exe';
  return { file, args: ['/d', '/s', '/c', `"${command}"`], verbatim: true };
}

/** False when there is nobody (any more). */
function reaches(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

async function within(work: Promise<void>, ms: number, clock: Clock): Promise<void> {
  const late = Promise.withResolvers<void>();
  const timer = clock.after(ms, late.resolve);
  await Promise.race([work, late.promise]);
  timer.cancel();
}
