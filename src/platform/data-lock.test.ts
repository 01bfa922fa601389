import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { DataFolderInUseError, lockDataDir, machineProcesses, type ProcessTable } from './data-lock.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'andiron-lock-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

/** Process `pid` on a machine where `alive` says who lives, and since when. */
function machine(pid: number, alive: Record<number, string>): ProcessTable {
  return { pid, isAlive: (other) => other in alive, identity: (other) => alive[other] ?? null };
}

test('a second one is told who holds the folder', () => {
  const alive = { 10: 'boot+5', 11: 'boot+9' };
  lockDataDir(dir, machine(10, alive));
  expect(() => lockDataDir(dir, machine(11, alive))).toThrow(/process 10/);
});

test('the folder is made if it is not there, and the lock leaves nothing behind', () => {
  const inside = join(dir, 'new', 'data');
  const lock = lockDataDir(inside, machine(10, { 10: 'a' }));
  expect(readdirSync(inside)).toEqual(['andiron.lock']);
  lock.release();
  lock.release();
  expect(readdirSync(inside)).toEqual([]);
});

test('a dead holder gives way', () => {
  lockDataDir(dir, machine(10, { 10: 'a' }));
  lockDataDir(dir, machine(11, { 11: 'b' }));
  expect(() => lockDataDir(dir, machine(12, { 11: 'b', 12: 'c' }))).toThrow(/process 11/);
  expect(readdirSync(dir)).toEqual(['andiron.lock']);
});

test('another process that got the id of a dead holder does not hold the folder', () => {
  lockDataDir(dir, machine(10, { 10: 'started at 5' }));
  expect(() => lockDataDir(dir, machine(11, { 10: 'started at 99', 11: 'b' }))).not.toThrow();
});

test('what is not a lock of ours is replaced', () => {
  writeFileSync(join(dir, 'andiron.lock'), '{"pid":');
  expect(() => lockDataDir(dir, machine(11, { 11: 'b' }))).not.toThrow();
});

test('an old lock does not release the one that replaced it', () => {
  const old = lockDataDir(dir, machine(10, { 10: 'a' }));
  lockDataDir(dir, machine(11, { 11: 'b' }));
  old.release();
  expect(() => lockDataDir(dir, machine(12, { 11: 'b', 12: 'c' }))).toThrow(DataFolderInUseError);
});

test('this very process is alive and holds what it locked', () => {
  expect(machineProcesses.isAlive(process.pid)).toBe(true);
  lockDataDir(dir);
  expect(() => lockDataDir(dir)).toThrow(DataFolderInUseError);
});

test.runIf(process.platform === 'linux')('a process is told from another by when it started', () => {
  expect(machineProcesses.identity(process.pid)).toMatch(/^\d+$/);
  expect(machineProcesses.identity(process.pid)).not.toBe(machineProcesses.identity(1));
});
