/**
 * A running command of Windows with everything that it started. Only a job object would hold all of it for certain, and that
 * takes native code: here descendants are told by who started them and when.
 */
import { execFile, spawnSync } from 'node:child_process';
import type { Clock, Timer } from './clock.ts';
import {
  endCall,
  endTreeCall,
  findDescendants,
  listCall,
  parseWindowsList,
  type ProgramCall,
  type WindowsCommand,
  type WindowsProcess,
} from './windows-processes.ts';

export interface WindowsEdges {
  /** null = it cannot be told now. */
  list(): Promise<WindowsProcess[] | null>;
  /** Resolves once they were made to end; whoever is gone is not missed. */
  end(pids: readonly number[]): Promise<void>;
  /** With all that the system takes for its descendants. */
  endTree(pid: number): Promise<void>;
}

/** Of its first process. */
export interface WindowsRoot {
  pid: number;
  isAlive(): boolean;
}

/** A list takes Windows a good part of a second. */
const learnMs = 10_000;
const firstLearnMs = 2_000;
const callLimitMs = 4_000;
const maxRounds = 4;

export function createWindowsTree(root: WindowsRoot, clock: Clock, edges: WindowsEdges) {
  const command: WindowsCommand = { pid: root.pid, since: clock.now(), known: new Map() };
  let isForgotten = false;
  let learning: Timer | undefined;

  const find = async (): Promise<WindowsProcess[] | null> => {
    const all = await edges.list();
    return all && findDescendants(all, command, process.pid);
  };
  // What loses its parent later on is known from then on.
  const learn = (ms: number): void => {
    learning = clock.after(ms, () => void look());
  };
  const look = async (): Promise<void> => {
    await find();
    if (!isForgotten) learn(learnMs);
  };
  learn(firstLearnMs);

  return {
    /** Its first process lives, or something that it left behind. */
    isAlive: async (): Promise<boolean> => root.isAlive() || ((await find())?.length ?? 0) > 0,
    /** By force and at once. Returns how many processes go on all the same. */
    async end(): Promise<number> {
      for (let rounds = maxRounds; rounds > 0; rounds--) {
        const left = await find();
        if (left?.length === 0) return 0;
        if (left) await edges.end(left.map(({ pid }) => pid));
        // Once it is gone its id may be another's.
        else if (root.isAlive()) await edges.endTree(root.pid);
      }
      return (await find())?.length ?? Number(root.isAlive());
    },
    /** Nothing of it is looked for any more. */
    watch: () => undefined,
    forget(): void {
      isForgotten = true;
      learning?.cancel();
    },
  };
}

const options = { windowsHide: true, timeout: callLimitMs, maxBuffer: 16 * 1024 * 1024 } as const;

const call = ({ file, args }: ProgramCall): Promise<string> =>
  new Promise((resolve) => {
    // A program that cannot be started says nothing, which is no list.
    execFile(file, args, { ...options, encoding: 'utf8' }, (_error, stdout) => resolve(stdout));
  });

export const windowsEdges: WindowsEdges = {
  list: async () => parseWindowsList(await call(listCall(process.env))),
  async end(pids) {
    await call(endCall(process.env, pids));
  },
  async endTree(pid) {
    await call(endTreeCall(process.env, pid));
  },
};

/**
 * By force and at once, of a command whose starter is dead. @param since about when it was started; null = unknown
 */
export function endWindowsGroupNow(
  pid: number,
  since: number | null,
  run: (call: ProgramCall) => string = callNow,
): void {
  const all = since === null ? null : parseWindowsList(run(listCall(process.env)));
  if (all === null || since === null) {
    run(endTreeCall(process.env, pid));
    return;
  }
  const members = findDescendants(all, { pid, since, known: new Map() }, process.pid);
  const pids = members.map((each) => each.pid);
  if (pids.length > 0) run(endCall(process.env, pids));
}

function callNow({ file, args }: ProgramCall): string {
  const { stdout, error } = spawnSync(file, args, { ...options, encoding: 'utf8' });
  return error ? '' : stdout;
}
