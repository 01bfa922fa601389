import Sqlite from 'better-sqlite3';
import { mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { Database } from './sqlite.ts';
import { openDatabase, openReader } from './sqlite.ts';

let folder: string;
let path: string;
let database: Database;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-sqlite-'));
  path = join(folder, 'test.db');
  database = openDatabase(path);
  database.exec('CREATE TABLE t (a INTEGER NOT NULL, b TEXT) STRICT');
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the live connection writes ahead, waits for the disk and checks references', () => {
  expect(database.pragma('journal_mode')).toBe('wal');
  expect(database.pragma('synchronous')).toBe(2);
  expect(database.pragma('foreign_keys')).toBe(1);
});

test('values are bound by position and by number', () => {
  database.command<[number, string]>('INSERT INTO t VALUES (?, ?)').run(1, 'one');
  expect(database.command<[number, string]>('UPDATE t SET b = ?2 WHERE a = ?1').run(1, 'uno')).toBe(1);
  const query = database.query<[number], { b: string }>(
    'SELECT b FROM t WHERE a = ?1',
    z.object({ b: z.string() }),
  );
  expect(query.get(1)).toEqual({ b: 'uno' });
  expect(query.get(2)).toBeUndefined();
  expect(query.all(1)).toEqual([{ b: 'uno' }]);
});

test('a full disk is a storage error with advice, and what was written stays', () => {
  const insert = database.command<[number, string]>('INSERT INTO t VALUES (?, ?)');
  insert.run(1, 'kept');
  database.pragma('max_page_count = 3');
  expect(() => insert.run(2, 'x'.repeat(100_000))).toThrow(
    expect.objectContaining({ code: 'storage', advice: expect.stringContaining('space') as string }),
  );
  const count = database.query('SELECT count(*) AS n FROM t', z.object({ n: z.number() }));
  expect(count.get()).toEqual({ n: 1 });
});

test('a database that another program holds is a storage error', () => {
  const other = new Sqlite(path);
  other.exec('BEGIN IMMEDIATE');
  try {
    expect(() => database.exec('INSERT INTO t VALUES (1, NULL)')).toThrow(
      expect.objectContaining({
        code: 'storage',
        message: expect.stringContaining('Another program') as string,
      }),
    );
  } finally {
    other.close();
  }
});

test('a mistake of ours is no storage error', () => {
  expect(() => database.exec('INSERT INTO t VALUES (NULL, NULL)')).toThrow('NOT NULL');
  expect(() => database.exec('INSERT INTO t VALUES (NULL, NULL)')).not.toThrow(
    expect.objectContaining({ code: 'storage' }),
  );
});

test('a reader of what is no database is refused in words (audit-A14)', () => {
  const foreign = join(folder, 'diary.txt');
  writeFileSync(foreign, 'Dear diary, '.repeat(1_000));
  expect(() => openReader(foreign)).toThrow(
    expect.objectContaining({ code: 'storage', message: expect.stringContaining(foreign) as string }),
  );
});

test.runIf(process.platform === 'linux')(
  'no handle is left on a file that was refused or closed (audit-A14)',
  () => {
    const foreign = join(folder, 'diary.txt');
    writeFileSync(foreign, 'Dear diary, '.repeat(1_000));
    expect(() => openDatabase(foreign)).toThrow('damaged');
    expect(() => openReader(foreign)).toThrow('damaged');
    const other = join(folder, 'other.db');
    openDatabase(other).close();
    openReader(other).close();
    const left = openFiles();
    expect(left).not.toContain(foreign);
    expect(left).not.toContain(other);
    expect(left).toContain(path);
  },
);

function openFiles(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The one with which the folder itself was read.
      return [];
    }
  });
}
