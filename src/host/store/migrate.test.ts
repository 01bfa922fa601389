import Sqlite from 'better-sqlite3';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { migrations as released } from './migrations/index.ts';
import type { Store } from './store.ts';
import type { StoreFolder } from './testing.ts';
import { storageError, storeFolder, summary } from './testing.ts';

let folder: StoreFolder;
let store: Store;
beforeEach(() => {
  folder = storeFolder();
  store = folder.open();
});
afterEach(() => folder.remove());

const create = (): void =>
  store.createSession({ summary: summary(), workspaceReal: '/real/project', contextUsage: null });

const second = "CREATE TABLE extra (id TEXT PRIMARY KEY) STRICT; INSERT INTO extra VALUES ('new');";
const now = released.length;
const copy = () => join(folder.path, 'backups', `andiron-v${String(now).padStart(4, '0')}.db`);

describe('migrations', () => {
  test('a new database needs no copy', () => {
    expect(existsSync(join(folder.path, 'backups'))).toBe(false);
  });

  test('each step is preceded by a copy of the state before it', () => {
    create();
    folder.open([...released, second]);
    const before = new Sqlite(copy(), { readonly: true });
    expect(before.prepare('SELECT id FROM sessions').pluck().all()).toEqual(['s']);
    expect(before.pragma('user_version', { simple: true })).toBe(now);
    expect(before.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'extra'").pluck().get()).toBe(0);
    before.close();
    store = folder.open([...released, second]);
    expect(store.getSession('s')).not.toBeNull();
  });

  test('a step that fails leaves the version before and its copy, is told, and can be tried again', () => {
    create();
    const broken = `${second} INSERT INTO nowhere VALUES (1);`;
    const told = storageError(() => folder.open([...released, broken]));
    expect(told.message).toMatch(new RegExp(`version ${now + 1} .*nowhere`));
    expect(told.advice).toContain('Nothing was changed and a copy is in');
    for (const path of [copy(), join(folder.path, 'andiron.db')]) {
      const left = new Sqlite(path, { readonly: true });
      expect(left.pragma('user_version', { simple: true })).toBe(now);
      expect(left.prepare('SELECT id FROM sessions').pluck().all()).toEqual(['s']);
      expect(left.prepare("SELECT count(*) FROM sqlite_master WHERE name = 'extra'").pluck().get()).toBe(0);
      left.close();
    }
    store = folder.open([...released, second]);
    expect(store.getSession('s')).not.toBeNull();
  });

  test('a first step that fails speaks of no copy, since there was nothing to keep (audit-A14)', () => {
    const fresh = storeFolder();
    const told = storageError(() => fresh.open(['INSERT INTO nowhere VALUES (1)']));
    fresh.remove();
    expect(told.advice).toMatch(/^Nothing was changed\. Go on/);
  });

  test('data from a newer Andiron is refused untouched', () => {
    folder.open([...released, second]);
    expect(storageError(() => folder.open()).message).toContain('newer');
    expect(() => folder.open([...released, second])).not.toThrow();
  });
});
