/** One Andiron per data folder: whoever holds `andiron.lock` writes there, and a second one is told (design 9). */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HostStartError } from './host-channel.ts';
import { makePrivateFolder, privateFileMode } from './private-data.ts';

/** What is asked of the machine's processes. */
export interface ProcessTable {
  pid: number;
  isAlive(pid: number): boolean;
  /** Tells a process from a later one with the same id; null where the platform does not say. */
  identity(pid: number): string | null;
}

export interface DataLock {
  /** Idempotent. */
  release(): void;
}

export class DataFolderInUseError extends HostStartError {
  readonly holder: number;

  constructor(dataDir: string, holder: number) {
    super(
      `Another Andiron (process ${String(holder)}) is using ${dataDir}.`,
      'Use that one, or close it, or start this one with another data folder (--data-dir).',
    );
    this.name = 'DataFolderInUseError';
    this.holder = holder;
  }
}

interface Holder {
  pid: number;
  identity: string | null;
}

/** Creates the folder if need be. Throws DataFolderInUseError while a living process holds it. */
export function lockDataDir(dataDir: string, processes: ProcessTable = machineProcesses): DataLock {
  makePrivateFolder(dataDir);
  const path = join(dataDir, 'andiron.lock');
  const mine = JSON.stringify({
    pid: processes.pid,
    identity: processes.identity(processes.pid),
  } satisfies Holder);

  while (!createExclusively(path, mine)) {
    const found = read(path);
    if (found === undefined) continue;
    const holder = parse(found);
    if (holder && isHeld(holder, processes)) throw new DataFolderInUseError(dataDir, holder.pid);
    removeStale(path, found, processes);
  }
  return {
    release() {
      if (read(path) === mine) rmSync(path, { force: true });
    },
  };
}

function isHeld(holder: Holder, processes: ProcessTable): boolean {
  return processes.isAlive(holder.pid) && processes.identity(holder.pid) === holder.identity;
}

function createExclusively(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: privateFileMode });
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** Moves the dead holder's lock away. Two may try at once: the one that moved a fresh lock puts it back. */
function removeStale(path: string, stale: string, processes: ProcessTable): void {
  const aside = `${path}.${String(processes.pid)}.stale`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') === stale) rmSync(aside);
    else renameSync(aside, path);
  } catch (error) {
    if (!hasCode(error, 'ENOENT')) throw error;
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** undefined = not a lock of ours, so nobody holds it. */
function parse(text: string): Holder | undefined {
  try {
    const { pid, identity } = JSON.parse(text) as Partial<Holder>;
    return typeof pid === 'number' ? { pid, identity: identity ?? null } : undefined;
  } catch {
    return undefined;
  }
}

const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code;

export const machineProcesses: ProcessTable = {
  pid: process.pid,
  isAlive(pid) {
    try {
      process.kill(pid, 0);
      return true;
    } catch (error) {
      // EPERM: it lives, and belongs to someone else.
      return hasCode(error, 'EPERM');
    }
  },
  identity(pid) {
    try {
      // Field 22, counted after the name in parentheses: when it started, in ticks since boot.
      const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
      return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
    } catch {
      return null;
    }
  },
};
