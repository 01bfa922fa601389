/**
 * One Andiron per data folder. Whoever holds it has an exclusive transaction on a small SQLite file: the operating system
 * ends that lock with its owner, however it died, so no start is ever refused because of what a dead one left. Who holds
 * it is written beside it, for the words of the one that is refused.
 */
import Sqlite from 'better-sqlite3';
import {
  accessSync,
  constants,
  readFileSync,
  realpathSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { hasCode } from './file-errors.ts';
import { HostStartError } from './host-channel.ts';
import { makePrivateFolder, privateFileMode } from './private-data.ts';
import { isSameProcess, machineProcesses, type ProcessTable } from './process-table.ts';

export type DataLock = ReturnType<typeof lockDataDir>;

export class DataFolderInUseError extends HostStartError {
  /** null = it has not said who it is. */
  readonly holder: number | null;

  constructor(dataDir: string, holder: number | null) {
    super(
      `Another Andiron ${holder === null ? '' : `(process ${String(holder)}) `}is using ${dataDir}.`,
      'Use that one, or close it, or start this one with another data folder (--data-dir).',
    );
    this.name = 'DataFolderInUseError';
    this.holder = holder;
  }
}

interface Holder {
  pid: number;
  identity: string | null;
  /** Absent in what an older Andiron wrote, which holds nothing else than this file. */
  boot?: string | null;
  /** The real path: a record in a copy of the folder is about another one. */
  folder?: string;
}

type OwnTable = Pick<ProcessTable, 'pid' | 'isAlive' | 'identity' | 'identityOfNew'>;

/** Many that start at once get in each other's way for moments; who holds it keeps it for longer. */
const patienceMs = 500;

/**
 * Creates the folder if need be. Throws DataFolderInUseError while another holds it, this process included.
 *
 * The file of the lock stays when it is released: who removes it may remove the one that a third is just locking.
 */
export function lockDataDir(dataDir: string, processes: OwnTable = machineProcesses) {
  makePrivateFolder(dataDir);
  const recordPath = join(dataDir, 'andiron.lock');
  const held = acquire(dataDir, join(dataDir, 'andiron.lock.db'), () => livingHolder(recordPath, processes));
  const mine = JSON.stringify({
    pid: processes.pid,
    identity: processes.identityOfNew(processes.pid),
    boot: bootId(),
    folder: realpathSync(dataDir),
  } satisfies Holder);
  try {
    writeRecord(dataDir, recordPath, mine, processes);
  } catch (error) {
    held.close();
    throw error;
  }
  return {
    /** Idempotent. */
    release(): void {
      if (!held.open) return;
      if (read(recordPath) === mine) rmSync(recordPath, { force: true });
      held.close();
    },
  };
}

/** As long as the connection is open, nobody else gets one. Nothing is ever written into the file. */
function acquire(dataDir: string, path: string, holder: () => number | null): Sqlite.Database {
  createEmpty(path);
  try {
    return beginExclusively(path);
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError)) throw error;
    if (error.code.startsWith('SQLITE_BUSY')) throw new DataFolderInUseError(dataDir, holder());
    if (error.code !== 'SQLITE_NOTADB' && !error.code.startsWith('SQLITE_CORRUPT'))
      throw cannotLock(path, error);
  }
  // Not ours, or damaged, and held by nobody: that is asked before the content is.
  truncateSync(path);
  try {
    return beginExclusively(path);
  } catch (error) {
    if (error instanceof Sqlite.SqliteError && error.code.startsWith('SQLITE_BUSY'))
      throw new DataFolderInUseError(dataDir, holder());
    throw cannotLock(path, error);
  }
}

function beginExclusively(path: string): Sqlite.Database {
  const connection = new Sqlite(path, { timeout: patienceMs, fileMustExist: true });
  try {
    // Else a journal would appear beside it.
    connection.pragma('journal_mode = MEMORY');
    connection.exec('BEGIN EXCLUSIVE');
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/**
 * Only where it is not there: POSIX ends all locks of a process on a file as soon as the process closes any descriptor of
 * it, so a file that this process may hold is never opened past SQLite, which knows that.
 */
function createEmpty(path: string): void {
  try {
    writeFileSync(path, '', { flag: 'wx', mode: privateFileMode });
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error;
    accessSync(path, constants.R_OK | constants.W_OK);
  }
}

function cannotLock(path: string, cause: unknown): HostStartError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new HostStartError(
    `The data folder cannot be locked: ${path} (${reason}).`,
    'Keep it on a local disk, because network drives lack what the lock needs, or start Andiron with another data folder (--data-dir).',
    { cause },
  );
}

/** With the lock in hand. An older Andiron that starts meanwhile makes the same file, and one of the two gives way. */
function writeRecord(dataDir: string, path: string, mine: string, processes: OwnTable): void {
  for (;;) {
    const found = read(path);
    if (found !== undefined) {
      const holder = parse(found);
      if (holder && isHeld(holder, dataDir, processes)) throw new DataFolderInUseError(dataDir, holder.pid);
      rmSync(path, { force: true });
    }
    try {
      writeFileSync(path, mine, { flag: 'wx', mode: privateFileMode });
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
  }
}

/**
 * The lock is ours, and still somebody lives who surely wrote this: an older Andiron, or one whose lock was lost because
 * the file was opened and closed or deleted under it. What cannot be told for sure does not count.
 */
function isHeld({ pid, identity, boot, folder }: Holder, dataDir: string, processes: OwnTable): boolean {
  if (pid === processes.pid || identity === null) return false;
  if (boot !== undefined && boot !== bootId()) return false;
  if (folder !== undefined && folder !== realpathSync(dataDir)) return false;
  return processes.isAlive(pid) && !isZombie(pid) && isSameProcess(identity, processes.identity(pid));
}

/** For the words alone, so the one that has just written nothing yet may be missing. */
function livingHolder(path: string, processes: OwnTable): number | null {
  const holder = parse(read(path) ?? '');
  return holder && processes.isAlive(holder.pid) ? holder.pid : null;
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** undefined = no record of ours, so it names nobody. */
function parse(text: string): Holder | undefined {
  try {
    const { pid, identity, boot, folder } = JSON.parse(text) as Partial<Holder>;
    if (typeof pid !== 'number') return undefined;
    return {
      pid,
      identity: identity ?? null,
      ...(boot !== undefined && { boot }),
      ...(folder !== undefined && { folder }),
    };
  } catch {
    return undefined;
  }
}

/** Ticks since boot say little without it. null where the platform has no such thing, and tells moments instead. */
function bootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return null;
  }
}

/** It ended and was not collected yet: it holds nothing. */
function isZombie(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'utf8');
    return /^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2));
  } catch {
    return false;
  }
}
