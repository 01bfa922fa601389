/** A file in the place of the database that is not Andiron's, or not whole any more. */
import Sqlite from 'better-sqlite3';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { silentLog } from '../../platform/log.ts';
import { openStore } from './store.ts';

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'andiron-foreign-'));
  path = join(dataDir, 'andiron.db');
});
afterEach(() => rmSync(dataDir, { recursive: true }));

const open = () => openStore({ dataDir, log: silentLog, newId: (prefix) => `${prefix}1` });

function write(...statements: string[]): void {
  const database = new Sqlite(path);
  for (const statement of statements) database.exec(statement);
  database.close();
}

function ownDatabase(): Buffer {
  open().close();
  return readFileSync(path);
}

const flipped = (bytes: Buffer): Buffer => {
  const copy = Buffer.from(bytes);
  copy.fill(0xa5, 4_096, 4_096 + 2_000);
  return copy;
};

const cases: [what: string, make: () => void][] = [
  ['a database with other tables', () => write('CREATE TABLE bookmarks (url TEXT)')],
  ['one whose tables are named like ours', () => write('CREATE TABLE sessions (id TEXT)')],
  ['one with a version of its own', () => write('PRAGMA user_version = 3', 'CREATE TABLE cookies (a)')],
  ['one without tables that has a version', () => write('PRAGMA user_version = 3')],
  ['one that another program has marked', () => write('PRAGMA application_id = 252006674')],
  ['a text', () => writeFileSync(path, 'Dear diary, '.repeat(1_000))],
  ['a short text', () => writeFileSync(path, 'x')],
  ['a short text that begins as a database', () => writeFileSync(path, 'SQLite format 3\0')],
  [
    'a database of another program in WAL mode',
    () => write('PRAGMA journal_mode = WAL', 'CREATE TABLE t (a)'),
  ],
  ['half a database', () => writeFileSync(path, ownDatabase().subarray(0, 5_000))],
  ['a database whose pages were overwritten', () => writeFileSync(path, flipped(ownDatabase()))],
];

test.each(cases)('%s is refused in words, and stays as it is (audit-S27)', (_, make) => {
  make();
  const before = readFileSync(path);
  let failure: unknown;
  try {
    open();
  } catch (error) {
    failure = error;
  }
  expect(failure).toMatchObject({
    code: 'storage',
    message: expect.stringContaining(path),
    advice: expect.stringMatching(/^Nothing was changed\. (Move|Put) /),
  });
  expect(String(failure)).not.toMatch(/SQLITE|no such|malformed|already exists|file is not a/);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dataDir).filter((name) => name.startsWith('andiron.db-'))).toEqual([]);
});

test('a database of ours that lost a table is refused in words (audit-S27)', () => {
  ownDatabase();
  write('PRAGMA foreign_keys = OFF', 'DROP TABLE items');
  expect(open).toThrow(
    expect.objectContaining({ code: 'storage', advice: expect.stringContaining('backups') as string }),
  );
});

test('an empty file and a database of an Andiron that did not mark its own are taken (audit-S27)', () => {
  writeFileSync(path, '');
  open().close();
  write('PRAGMA application_id = 0');
  open().close();
  const database = new Sqlite(path);
  expect(database.pragma('application_id', { simple: true })).toBe(0x416e6469);
  database.close();
});
