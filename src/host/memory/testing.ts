/** A memory of its own over a real database, with sessions `s` and `other`, and time that a test moves. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../platform/clock.ts';
import { systemClock } from '../../platform/clock.ts';
import type { ExtractionStore, MemoryStore } from '../store/memory-store.ts';
import { createExtractionStore, createMemoryStore } from '../store/memory-store.ts';
import { migrate } from '../store/migrate.ts';
import { ownerId } from '../../protocol/principal.ts';
import { migrations } from '../store/migrations/index.ts';
import type { Database } from '../store/sqlite.ts';
import { openDatabase } from '../store/sqlite.ts';
import { Memory } from './memory.ts';

export interface MemoryBench {
  database: Database;
  store: MemoryStore & ExtractionStore;
  memory: Memory;
  clock: Clock;
  /** Moves the time. */
  pass: (ms: number) => void;
  deleteSession: (id: string) => void;
  remove: () => void;
}

export function memoryBench(): MemoryBench {
  const path = mkdtempSync(join(tmpdir(), 'andiron-memory-'));
  const database = openDatabase(join(path, 'test.db'));
  migrate(database, migrations, join(path, 'backups'));
  database.exec(`
    INSERT INTO sessions
      (id, title, workspace, workspace_real, profile_id, pinned, status, created_at, updated_at)
    VALUES ('s', '', '', '', '', 0, 'idle', 0, 0), ('other', '', '', '', '', 0, 'idle', 0, 0)`);
  let now = 1_000;
  let ids = 0;
  const clock = { ...systemClock, now: () => now };
  const store = { ...createMemoryStore(database).memoryOf(ownerId), ...createExtractionStore(database) };
  return {
    database,
    store,
    memory: new Memory(store, clock, (prefix) => `${prefix}${String(ids++)}`),
    clock,
    pass: (ms) => void (now += ms),
    deleteSession: (id) => void database.command<[string]>('DELETE FROM sessions WHERE id = ?').run(id),
    remove() {
      database.close();
      rmSync(path, { recursive: true, force: true });
    },
  };
}
