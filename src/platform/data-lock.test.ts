import { spawn, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUseError, lockDataDir, type DataLock } from './data-lock.ts';
import { HostStartError } from './host-channel.ts';
import { machineProcesses } from './process-table.ts';

let dir: string;
let others: ChildProcess[];
let locks: DataLock[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-lock-'));
  others = [];
  locks = [];
});
afterEach(() => {
  for (const lock of locks) lock.release();
  for (const other of others) other.kill('SIGKILL');
  rmSync(dir, { recursive: true, force: true });
});

const record = (): string => join(dir, 'andiron.lock');
const lockFile = (): string => join(dir, 'andiron.lock.db');

function lock(processes = machineProcesses, folder = dir): DataLock {
  const held = lockDataDir(folder, processes);
  locks.push(held);
  return held;
}

/** Another process with the code of this one. */
interface Other {
  pid: number;
  /**
   * Resolves with its answer to one line: `lock` (`held`, or why not), `release`, `open` (the file of the lock, and close
   * it), `leave` (starts a child that outlives it, and answers its process id).
   */
  ask(line: string): Promise<string>;
  kill(): Promise<void>;
}

const program = (folder: string): string => `
  import { spawn } from 'node:child_process';
  import { readFileSync } from 'node:fs';
  import { createInterface } from 'node:readline';
  import { lockDataDir } from ${JSON.stringify(new URL('data-lock.ts', import.meta.url).href)};
  const dir = ${JSON.stringify(folder)};
  let held;
  const answers = {
    lock: () => ((held = lockDataDir(dir)), 'held'),
    release: () => held.release(),
    open: () => readFileSync(dir + '/andiron.lock.db').length,
    leave: () => spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'], { detached: true, stdio: 'ignore' }).pid,
    hello: () => 'hello',
  };
  for await (const line of createInterface({ input: process.stdin })) {
    try {
      console.log(answers[line]());
    } catch (error) {
      console.log(error.message);
    }
  }`;

async function startOther(): Promise<Other> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(dir)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  others.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const other: Other = {
    pid: child.pid ?? 0,
    async ask(line) {
      child.stdin.write(`${line}\n`);
      return String((await lines.next()).value);
    },
    kill() {
      child.kill('SIGKILL');
      return ended;
    },
  };
  await other.ask('hello');
  return other;
}

/** `held`, or the words with which it was refused. */
function attempt(run: () => DataLock = lock): string {
  try {
    run();
    return 'held';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

test('a second one is told who holds the folder', async () => {
  const other = await startOther();
  expect(await other.ask('lock')).toBe('held');
  expect(attempt()).toBe(`Another Andiron (process ${String(other.pid)}) is using ${dir}.`);
});

test('It is the lock that refuses, and the record only says by whom (desk-F3)', async () => {
  const other = await startOther();
  await other.ask('lock');
  rmSync(record());
  expect(attempt()).toBe(`Another Andiron is using ${dir}.`);
});

test('the folder is made if it is not there, and the lock leaves nothing behind', () => {
  const inside = join(dir, 'new', 'data');
  const held = lock(machineProcesses, inside);
  expect(readdirSync(inside).toSorted()).toEqual(['andiron.lock', 'andiron.lock.db']);
  held.release();
  held.release();
  // The empty file stays: another one may be about to lock it.
  expect(readdirSync(inside)).toEqual(['andiron.lock.db']);
  expect(statSync(join(inside, 'andiron.lock.db')).size).toBe(0);
});

test.skipIf(process.platform === 'win32')('No other user can read the files of the lock', () => {
  lock();
  for (const path of [record(), lockFile()]) expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a dead holder gives way', async () => {
  const [first, second] = [await startOther(), await startOther()];
  expect(await first.ask('lock')).toBe('held');
  await first.kill();
  expect(await second.ask('lock')).toBe('held');
  expect(attempt()).toContain(`process ${String(second.pid)}`);
});

test('A start at once after its holder was killed gets the folder, five times in a row (desk-F3)', async () => {
  for (let times = 5; times > 0; times--) {
    const holder = await startOther();
    expect(await holder.ask('lock')).toBe('held');
    await holder.kill();
    expect(existsSync(record())).toBe(true);
    expect(attempt()).toBe('held');
    locks.pop()?.release();
  }
});

test('A child that outlives a killed holder does not keep the folder locked (desk-F3)', async () => {
  const holder = await startOther();
  await holder.ask('lock');
  const child = Number(await holder.ask('leave'));
  await holder.kill();
  try {
    expect(machineProcesses.isAlive(child)).toBe(true);
    expect(attempt()).toBe('held');
  } finally {
    process.kill(child, 'SIGKILL');
  }
});

test('Of fifty starts at the same moment one gets the folder and all others are told so (desk-F3)', async () => {
  const starts = await Promise.all(Array.from({ length: 50 }, () => startOther()));
  const answers = await Promise.all(starts.map((start) => start.ask('lock')));
  expect(answers.filter((answer) => answer === 'held')).toHaveLength(1);
  expect(answers.filter((answer) => answer.startsWith('Another Andiron'))).toHaveLength(49);
  await starts[answers.indexOf('held')]?.ask('release');
  expect(attempt()).toBe('held');
});

test('another process that got the id of a dead holder does not hold the folder', async () => {
  const other = await startOther();
  const identity = 'an earlier one';
  for (const older of [
    { pid: other.pid, identity },
    { pid: other.pid, identity: null },
  ]) {
    for (const boot of [{}, { boot: bootId() }]) {
      writeFileSync(record(), JSON.stringify({ ...older, ...boot }));
      expect(attempt()).toBe('held');
      locks.pop()?.release();
    }
  }
});

const bootId = (): string => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();

test.runIf(process.platform === 'linux')(
  'A record of an earlier boot names nobody, even if process id and start agree (desk-F3)',
  async () => {
    const { pid } = await startOther();
    const identity = machineProcesses.identity(pid);
    writeFileSync(record(), JSON.stringify({ pid, identity, boot: 'another one' }));
    expect(attempt()).toBe('held');
  },
);

test.runIf(process.platform === 'linux')('An older Andiron that lives is respected (desk-F3)', async () => {
  const other = await startOther();
  const { pid } = other;
  writeFileSync(record(), JSON.stringify({ pid, identity: machineProcesses.identity(pid) }));
  expect(attempt()).toContain(`process ${String(pid)}`);
  await other.kill();
  expect(attempt()).toBe('held');
});

test.runIf(process.platform === 'linux')(
  'An older Andiron that ended and was not collected yet does not hold the folder (desk-F3)',
  async () => {
    // The shell becomes a program that never collects the child it began.
    const parent = spawn('/bin/sh', ['-c', 'sleep 0.01 & echo $!; exec sleep 60'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    others.push(parent);
    const line = await new Promise<string>((resolve) =>
      createInterface({ input: parent.stdout }).once('line', resolve),
    );
    const pid = Number(line);
    await expect.poll(() => readFileSync(`/proc/${line}/stat`, 'utf8')).toContain(') Z ');
    expect(machineProcesses.isAlive(pid)).toBe(true);
    writeFileSync(record(), JSON.stringify({ pid, identity: machineProcesses.identity(pid) }));
    expect(attempt()).toBe('held');
  },
);

test.runIf(process.platform === 'linux')(
  'A holder that lost its lock to a closed descriptor or a deleted file is still respected (desk-F3)',
  async () => {
    const other = await startOther();
    await other.ask('lock');
    await other.ask('open');
    expect(attempt()).toContain(`process ${String(other.pid)}`);
    rmSync(lockFile());
    expect(attempt()).toContain(`process ${String(other.pid)}`);
  },
);

test.each(['{"pid":', 'null', '[]', '{"pid":"7"}', '', '\0'])(
  'what is not a lock of ours is replaced: %j',
  (text) => {
    writeFileSync(record(), text);
    lock();
    expect(JSON.parse(readFileSync(record(), 'utf8'))).toMatchObject({ pid: process.pid });
  },
);

test.each(['no database', 'x'.repeat(5_000), 'SQLite format 3\0'.padEnd(4_096, 'x')])(
  'A file of the lock that is damaged or something else is put right (desk-F3)',
  async (text) => {
    writeFileSync(lockFile(), text);
    lock();
    expect(await (await startOther()).ask('lock')).toContain(`process ${String(process.pid)}`);
  },
);

test('A data folder that was copied from a held one is free (desk-F3)', async () => {
  const other = await startOther();
  await other.ask('lock');
  const copy = join(dir, 'copy');
  mkdirSync(copy);
  for (const path of [record(), lockFile()]) cpSync(path, join(copy, basename(path)));
  expect(attempt(() => lock(machineProcesses, copy))).toBe('held');
});

test('A folder in the place of the lock is told as a start failure with advice (desk-F3)', () => {
  mkdirSync(lockFile());
  expect(() => lock()).toThrow(HostStartError);
  expect(attempt()).toMatch(/^The data folder cannot be locked: /);
});

test('an old lock does not release the one that replaced it', async () => {
  const old = lock();
  old.release();
  const other = await startOther();
  await other.ask('lock');
  old.release();
  expect(attempt()).toContain(`process ${String(other.pid)}`);
  await other.ask('release');
  lock();
  old.release();
  expect(existsSync(record())).toBe(true);
});

test('this very process is alive and holds what it locked', async () => {
  expect(machineProcesses.isAlive(process.pid)).toBe(true);
  lock();
  expect(() => lock()).toThrow(DataFolderInUseError);
  // The refused attempt has opened and closed the file in this process, which ends POSIX locks.
  rmSync(record());
  expect(await (await startOther()).ask('lock')).toMatch(/^Another Andiron is using/);
});
