/** A running command with everything that it started, and how all of it is ended. */
import type { ChildProcess } from 'node:child_process';
import type { Clock, Timer } from './clock.ts';
import { findMembers, type CommandIdentity } from './command-members.ts';
import { scanProcesses, startOf, stillRuns, type ScannedProcess } from './process-scan.ts';
import { endTreeCall, type ProgramCall } from './windows-processes.ts';
import { createWindowsTree, endWindowsGroupNow, windowsEdges } from './windows-tree.ts';

export interface CommandTree {
  /** Something of it lives: the first process, or what it left behind. */
  isAlive(): boolean | Promise<boolean>;
  /** Politely, then by force. Returns how many processes go on all the same, such as those of another user. */
  end(): Promise<number>;
  /** Every second, as long as it runs: the ids of its processes. Linux alone tells. */
  watch(onLook: (pids: readonly number[]) => void): void;
  /** Nothing of it is looked for any more. */
  forget(): void;
}

/** From the polite signal to the final one. */
const gracePeriodMs = 2_000;
/** How long what got the final signal may take to vanish. */
const vanishMs = 1_000;
const pollMs = 20;
/** Between two looks at what runs: what sheds its mark is known from then on. */
const learnMs = 1_000;
/** What has its final signal may still be there in the next one. */
const maxSweeps = 20;

/** The child has just been started and leads a group of its own; on POSIX it waits at the gate with this mark. */
export function createCommandTree(child: ChildProcess, mark: string, clock: Clock): CommandTree {
  const { pid } = child;
  if (pid === undefined) return noTree;
  if (process.platform !== 'win32') return treeByMembers(pid, mark, clock);
  const isAlive = (): boolean => child.exitCode === null && child.signalCode === null;
  return createWindowsTree({ pid, isAlive }, clock, windowsEdges);
}

/** Of a program that was never started. */
const noTree: CommandTree = {
  isAlive: () => false,
  end: () => Promise.resolve(0),
  watch: () => undefined,
  forget: () => undefined,
};

function treeByMembers(leader: number, mark: string, clock: Clock): CommandTree {
  const started = startOf(leader);
  // Where that cannot be told now, the mark alone has to do.
  const known = new Map(started === null ? [] : [[leader, started]]);
  const command: CommandIdentity = { mark, started: started ?? 0, known };
  let living: ScannedProcess[] = [];

  const find = (): ScannedProcess[] => {
    const all = scanProcesses(command.started);
    if (all) living = findMembers(all, command);
    else living = signalTo(-leader, 0) ? [unseenGroup(leader)] : [];
    return living;
  };
  // Whoever was there a moment ago mostly still is, and all others need not be asked.
  const isAlive = (): boolean => living.some(stillRuns) || find().length > 0;

  const send = (members: readonly ScannedProcess[], signal: NodeJS.Signals): void => {
    // All of a group at once: it cannot grow meanwhile.
    if (members.some(({ group }) => group === leader)) signalTo(-leader, signal);
    for (const each of members) if (each.group !== leader && stillRuns(each)) signalTo(each.pid, signal);
  };

  let learning: Timer | undefined;
  let onLook: Parameters<CommandTree['watch']>[0] | undefined;
  const learn = (): void => {
    learning = clock.after(learnMs, () => {
      learn();
      const members = find();
      onLook?.(members.map(({ pid }) => pid));
    });
  };
  if (process.platform === 'linux') learn();

  return {
    isAlive,
    async end() {
      send(find(), 'SIGTERM');
      if (await until(() => !isAlive(), gracePeriodMs, clock)) return 0;
      const areGone = (): boolean => {
        send(find(), 'SIGKILL');
        return living.length === 0;
      };
      return (await until(areGone, vanishMs, clock)) ? 0 : living.length;
    },
    watch: (look) => void (onLook = look),
    forget: () => learning?.cancel(),
  };
}

/** How a group is asked (`force` false) or made to end; Windows has no asking. Pure, so that Windows is tested everywhere. */
export function endStep(
  platform: string,
  pid: number,
  force: boolean,
  env: Readonly<Record<string, string | undefined>>,
): { target: number; signal: NodeJS.Signals } | ProgramCall {
  if (platform !== 'win32') return { target: -pid, signal: force ? 'SIGKILL' : 'SIGTERM' };
  return endTreeCall(env, pid);
}

/** By force, the group of a command whose starter is dead. @param since when it began, as far as it is known; for Windows */
export function endGroupNow(leader: number, since: number | null): void {
  if (process.platform === 'win32') endWindowsGroupNow(leader, since);
  else signalTo(-leader, 'SIGKILL');
}

/** By force, what carries the mark of a command whose starter is dead, with all below it, wherever it went. */
export function endMarkedNow(mark: string): void {
  const command: CommandIdentity = { mark, started: 0, known: new Map() };
  for (let left = maxSweeps; left > 0; left--) {
    const members = findMembers(scanProcesses(0) ?? [], command);
    for (const each of members) if (stillRuns(each)) signalTo(each.pid, 'SIGKILL');
    if (members.length === 0) return;
  }
}

/** False when there is nobody (any more), or it belongs to another user. */
function signalTo(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

/** Stands for a group that lives and cannot be looked at: it is made to end all the same. */
const unseenGroup = (leader: number): ScannedProcess => ({
  pid: leader,
  parent: 0,
  group: leader,
  session: leader,
  started: 0,
  isDead: false,
  carries: () => 'no',
});

/** Nobody tells when processes end that are not our children. */
async function until(isDone: () => boolean, ms: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonic() + ms;
  while (!isDone()) {
    if (clock.monotonic() >= deadline) return false;
    await new Promise<void>((resolve) => {
      clock.after(pollMs, resolve);
    });
  }
  return true;
}
