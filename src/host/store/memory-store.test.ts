import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { ownerId } from '../../protocol/principal.ts';
import type { ExtractionStore, Fact, MemoryStore } from './memory-store.ts';
import { createExtractionStore, createMemoryStore } from './memory-store.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/index.ts';
import type { Database } from './sqlite.ts';
import { openDatabase } from './sqlite.ts';

let folder: string;
let database: Database;
let store: MemoryStore & ExtractionStore;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'andiron-memory-store-'));
  database = openDatabase(join(folder, 'test.db'));
  migrate(database, migrations, join(folder, 'backups'));
  database.exec(`
    INSERT INTO sessions
      (id, title, workspace, workspace_real, profile_id, pinned, status, created_at, updated_at)
    VALUES ('s', '', '', '', '', 0, 'idle', 0, 0)`);
  store = { ...createMemoryStore(database).memoryOf(ownerId), ...createExtractionStore(database) };
});
afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

const fact = (more: Partial<Fact> = {}): Fact => ({
  id: 'f',
  category: 'person',
  key: 'city',
  value: 'Munich',
  sourceSession: 's',
  confidence: 0.8,
  createdAt: 1,
  updatedAt: 1,
  expiresAt: null,
  ...more,
});

const words = (text: string) => text.split(/[\s_]+/);

function put(given: Fact): void {
  store.putFact(given, {
    category: words(given.category),
    key: words(given.key),
    value: words(given.value),
  });
}

const found = (...words: string[]) => store.searchFacts(words, 5, 15).map(({ fact }) => fact.id);

test('a fact comes back as it was saved, and saving it again replaces it everywhere', () => {
  put(fact());
  expect(store.getFact('f', 5)).toEqual(fact());
  put(fact({ value: 'Berlin', updatedAt: 2 }));
  expect(store.listFacts(5)).toEqual([fact({ value: 'Berlin', updatedAt: 2 })]);
  expect(found('Munich')).toEqual([]);
  expect(found('Berlin')).toEqual(['f']);
});

test('two facts cannot share category and key', () => {
  put(fact());
  expect(() => put(fact({ id: 'g' }))).toThrow('UNIQUE');
  expect(store.listFacts(5)).toHaveLength(1);
  expect(found('Munich')).toEqual(['f']);
});

test('a search takes facts with any of the words, the best first, and says which words met', () => {
  put(fact());
  put(fact({ id: 'g', key: 'street', value: 'a street in Munich' }));
  put(fact({ id: 'h', key: 'name', value: 'Anna' }));
  expect(found('street', 'munich')).toEqual(['g', 'f']);
  expect(store.searchFacts(['streets', 'munich'], 5, 15)[0]?.met).toEqual({
    key: ['street'],
    value: ['street', 'Munich'],
  });
  expect(found()).toEqual([]);
  expect(found('"', 'OR', 'person*')).toEqual(expect.arrayContaining(['f', 'g', 'h']));
});

test('an expired fact is nowhere to be found', () => {
  put(fact({ expiresAt: 5 }));
  expect(store.getFact('f', 4)).not.toBeNull();
  expect([store.getFact('f', 5), store.listFacts(5), found('Munich'), store.factsSince(0, 5, 9)]).toEqual([
    null,
    [],
    [],
    [],
  ]);
  store.deleteExpired(5);
  expect(store.findFact('person', 'city')).toBeNull();
});

test('what is forgotten is gone from the search index too', () => {
  put(fact());
  expect(store.deleteFact('f')).toBe(true);
  expect(store.deleteFact('f')).toBe(false);
  put(fact({ id: 'g', key: 'town' }));
  store.deleteAllFacts();
  const count = database.query('SELECT count(*) AS n FROM memory_search', z.object({ n: z.number() }));
  expect(count.get()).toEqual({ n: 0 });
});

test('a fact outlives its session; how far that was read does not', () => {
  const state = {
    generation: 1,
    position: 4,
    status: 'extracted',
    problem: null,
    attempts: 0,
    at: 9,
  } as const;
  put(fact());
  expect(store.writeExtraction('s', state)).toBe(true);
  expect(store.readExtraction('s')).toEqual(state);
  database.exec("DELETE FROM sessions WHERE id = 's'");
  expect(store.getFact('f', 5)).toEqual(fact({ sourceSession: null }));
  expect(store.readExtraction('s')).toBeNull();
  expect(store.writeExtraction('s', state)).toBe(false);
});

test('there is one summary', () => {
  expect(store.readSummary()).toBeNull();
  store.writeSummary({ text: 'Old', byPerson: false, updatedAt: 1 });
  store.writeSummary({ text: 'New', byPerson: true, updatedAt: 2 });
  expect(store.readSummary()).toEqual({ text: 'New', byPerson: true, updatedAt: 2 });
  store.writeSummary(null);
  expect(store.readSummary()).toBeNull();
});

test('a value that no fact can have is refused by the table itself', () => {
  expect(() => put(fact({ value: 'x'.repeat(1_000_000) }))).toThrow('CHECK');
  expect(() => put(fact({ value: '' }))).toThrow('CHECK');
  expect(store.listFacts(5)).toEqual([]);
});

test('in a copy of the database a search finds the same facts', () => {
  put(fact());
  put(fact({ id: 'g', key: 'name', value: 'Anna' }));
  store.deleteFact('f');
  const copy = join(folder, 'copy.db');
  database.command<[string]>('VACUUM INTO ?').run(copy);
  const other = openDatabase(copy);
  try {
    const hits = createMemoryStore(other).memoryOf(ownerId).searchFacts(['anna'], 5, 15);
    expect(hits.map(({ fact }) => fact.id)).toEqual(['g']);
  } finally {
    other.close();
  }
});
