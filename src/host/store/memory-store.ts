/** What is remembered about each person: facts with their search index, a summary; and how far each session was read. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { Database } from './sqlite.ts';

/** One thing remembered; category and key together name it. */
export interface Fact {
  id: string;
  category: string;
  key: string;
  value: string;
  /** Where it was said; null = entered by hand, or that session is gone. */
  sourceSession: string | null;
  /** 0 to 1; null = unknown. */
  confidence: number | null;
  createdAt: number;
  updatedAt: number;
  /** From then on it is no longer remembered; null = for good. */
  expiresAt: number | null;
}

/** The words by which something is found, already parted. */
export type FactWords = Record<'category' | 'key' | 'value', readonly string[]>;

/** A fact and those of its words that a search met. */
export interface FactHit {
  fact: Fact;
  met: Record<'key' | 'value', string[]>;
}

export interface MemorySummary {
  text: string;
  /** Written by the person, so no model replaces it. */
  byPerson: boolean;
  /** It tells what was remembered then. */
  updatedAt: number;
}

export interface ExtractionState {
  /** Of the context: another one means that its messages were rewritten. */
  generation: number;
  /** Messages of the context before this one were read. */
  position: number;
  status: 'extracted' | 'nothing' | 'failed';
  /** What went wrong, in words; null = nothing. */
  problem: string | null;
  /** Failures in a row. */
  attempts: number;
  at: number;
}

/** Of one person; nothing in it reaches what is remembered of another. */
export type MemoryStore = ReturnType<ReturnType<typeof createMemoryStore>['memoryOf']>;
export type ExtractionStore = ReturnType<typeof createExtractionStore>;

const factRow = z.object({
  id: z.string(),
  category: z.string(),
  key: z.string(),
  value: z.string(),
  source_session: z.string().nullable(),
  confidence: z.number().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
  expires_at: z.number().nullable(),
});
type FactRow = z.infer<typeof factRow>;

const hitRow = factRow.extend({ key_met: z.string(), value_met: z.string() });
type HitRow = z.infer<typeof hitRow>;

const summaryRow = lazyObject(() => ({ text: z.string(), by_person: z.number(), updated_at: z.number() }));
const extractionRow = z.object({
  generation: z.number(),
  position: z.number(),
  status: z.enum(['extracted', 'nothing', 'failed']),
  problem: z.string().nullable(),
  attempts: z.number(),
  at: z.number(),
}) satisfies z.ZodType<ExtractionState>;

const columns = `f.id, f.category, f.key, f.value, f.source_session, f.confidence, f.created_at, f.updated_at,
  f.expires_at`;
const alive = '(f.expires_at IS NULL OR f.expires_at > ?1)';

export function createMemoryStore(database: Database) {
  const factsOf = createFactQueries(database);
  const readSummary = database.query<[string], z.infer<typeof summaryRow>>(
    'SELECT text, by_person, updated_at FROM memory_summary WHERE user_id = ?',
    summaryRow,
  );
  const writeSummary = database.command<[string, string, 0 | 1, number]>(
    'INSERT OR REPLACE INTO memory_summary (user_id, text, by_person, updated_at) VALUES (?, ?, ?, ?)',
  );
  const removeSummary = database.command<[string]>('DELETE FROM memory_summary WHERE user_id = ?');

  return {
    memoryOf: (userId: string) => ({
      ...factsOf(userId),
      readSummary(): MemorySummary | null {
        const row = readSummary.get(userId);
        return row ? { text: row.text, byPerson: row.by_person === 1, updatedAt: row.updated_at } : null;
      },
      /** null removes it. */
      writeSummary(summary: MemorySummary | null): void {
        if (summary === null) removeSummary.run(userId);
        else writeSummary.run(userId, summary.text, summary.byPerson ? 1 : 0, summary.updatedAt);
      },
      /** All of it or nothing; may be nested. */
      transaction: <T>(run: () => T): T => database.transaction(run),
    }),
  };
}

export function createExtractionStore(database: Database) {
  const readExtraction = database.query<[string], ExtractionState>(
    'SELECT generation, position, status, problem, attempts, at FROM memory_extractions WHERE session_id = ?',
    extractionRow,
  );
  const writeExtraction = database.command<[string, number, number, string, string | null, number, number]>(`
    INSERT OR REPLACE INTO memory_extractions (session_id, generation, position, status, problem, attempts, at)
    SELECT id, ?2, ?3, ?4, ?5, ?6, ?7 FROM sessions WHERE id = ?1`);
  return {
    readExtraction: (sessionId: string): ExtractionState | null => readExtraction.get(sessionId) ?? null,
    /** False = the session is gone, and nothing was written. */
    writeExtraction: (
      sessionId: string,
      { generation, position, status, problem, attempts, at }: ExtractionState,
    ): boolean => writeExtraction.run(sessionId, generation, position, status, problem, attempts, at) > 0,
  };
}

/** Expired facts are never returned; `now` decides. */
function createFactQueries(database: Database) {
  const put = database.command<[...FactValues, userId: string]>(`
    INSERT INTO memory_facts
      (id, category, key, value, source_session, confidence, created_at, updated_at, expires_at, user_id)
    VALUES (?1, ?2, ?3, ?4, (SELECT id FROM sessions WHERE id = ?5), ?6, ?7, ?8, ?9, ?10)
    ON CONFLICT (id) DO UPDATE SET category = excluded.category, key = excluded.key, value = excluded.value,
      source_session = excluded.source_session, confidence = excluded.confidence,
      updated_at = excluded.updated_at, expires_at = excluded.expires_at
    WHERE user_id = excluded.user_id`);
  const index = database.command<[string, string, string, string]>(`
    INSERT OR REPLACE INTO memory_search (rowid, category, key, value)
    SELECT number, ?2, ?3, ?4 FROM memory_facts WHERE id = ?1`);
  const one = database.query<[number, string, string], FactRow>(
    `SELECT ${columns} FROM memory_facts f WHERE ${alive} AND f.id = ?2 AND f.user_id = ?3`,
    factRow,
  );
  const named = database.query<[string, string, string], FactRow>(
    `SELECT ${columns} FROM memory_facts f WHERE f.user_id = ? AND f.category = ? AND f.key = ?`,
    factRow,
  );
  const all = database.query<[number, string], FactRow>(
    `SELECT ${columns} FROM memory_facts f WHERE ${alive} AND f.user_id = ?2 ORDER BY f.category, f.key`,
    factRow,
  );
  const since = database.query<[number, number, number, string], FactRow>(
    `SELECT ${columns} FROM memory_facts f WHERE ${alive} AND f.updated_at > ?2 AND f.user_id = ?4
     ORDER BY f.updated_at DESC, f.number DESC LIMIT ?3`,
    factRow,
  );
  const search = database.query<[number, string, number, string], HitRow>(
    `SELECT ${columns}, highlight(memory_search, 1, char(1), char(2)) AS key_met,
       highlight(memory_search, 2, char(1), char(2)) AS value_met
     FROM memory_search JOIN memory_facts f ON f.number = memory_search.rowid
     WHERE memory_search MATCH ?2 AND ${alive} AND f.user_id = ?4
     ORDER BY bm25(memory_search, 1.0, 2.0, 1.0), f.updated_at DESC LIMIT ?3`,
    hitRow,
  );
  const remove = database.command<[string, string]>('DELETE FROM memory_facts WHERE id = ? AND user_id = ?');
  const removeExpired = database.command<[number]>('DELETE FROM memory_facts WHERE expires_at <= ?');
  const removeAll = database.command<[string]>('DELETE FROM memory_facts WHERE user_id = ?');

  return (userId: string) => ({
    /** Inserts, or replaces the fact of this id. A source session that does not exist is left out. */
    putFact(fact: Fact, { category, key, value }: FactWords): void {
      database.transaction(() => {
        if (put.run(...toValues(fact), userId) === 0) return;
        index.run(fact.id, category.join(' '), key.join(' '), value.join(' '));
      });
    },
    getFact: (id: string, now: number): Fact | null => toFact(one.get(now, id, userId)),
    findFact: (category: string, key: string): Fact | null => toFact(named.get(userId, category, key)),
    /** By category and key. */
    listFacts: (now: number): Fact[] => all.all(now, userId).map(factOf),
    /** Those changed after `since`, the newest first. */
    factsSince: (after: number, now: number, limit: number): Fact[] =>
      since.all(now, after, limit, userId).map(factOf),
    /** Facts with any of these words, the best first. */
    searchFacts(words: readonly string[], now: number, limit: number): FactHit[] {
      if (words.length === 0) return [];
      const query = words.map((word) => `"${word.replaceAll('"', '')}"`).join(' OR ');
      return search.all(now, query, limit, userId).map((row) => ({
        fact: factOf(row),
        met: { key: marked(row.key_met), value: marked(row.value_met) },
      }));
    },
    /** False = there was none. */
    deleteFact: (id: string): boolean => remove.run(id, userId) > 0,
    deleteExpired: (now: number): void => void removeExpired.run(now),
    deleteAllFacts: (): void => void removeAll.run(userId),
  });
}

/** What stands between the two marks that `highlight` was told to set. */
function marked(text: string): string[] {
  return text
    .split('\u0001')
    .slice(1)
    .map((piece) => piece.slice(0, piece.indexOf('\u0002')));
}

type FactValues = [
  id: string,
  category: string,
  key: string,
  value: string,
  sourceSession: string | null,
  confidence: number | null,
  createdAt: number,
  updatedAt: number,
  expiresAt: number | null,
];

const toValues = (fact: Fact): FactValues => [
  fact.id,
  fact.category,
  fact.key,
  fact.value,
  fact.sourceSession,
  fact.confidence,
  fact.createdAt,
  fact.updatedAt,
  fact.expiresAt,
];

const factOf = (row: FactRow): Fact => ({
  id: row.id,
  category: row.category,
  key: row.key,
  value: row.value,
  sourceSession: row.source_session,
  confidence: row.confidence,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  expiresAt: row.expires_at,
});

const toFact = (row: FactRow | undefined): Fact | null => (row ? factOf(row) : null);
