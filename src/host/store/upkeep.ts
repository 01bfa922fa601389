/** How large the database is inside, and what a person can do about it. Reads or writes all of it: never during a turn. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { unfinished } from './sessions.ts';
import type { Database } from './sqlite.ts';

interface SessionSizes {
  count: number;
  /** What was said and done, as stored; indexes are not counted. */
  bytes: number;
  /** When the first of them was deleted; null = none was. */
  deletedAt: number | null;
}

export type UpkeepStore = ReturnType<typeof createUpkeepStore>;

const sizesRow = lazyObject(() => ({
  deleted: z.number(),
  count: z.number(),
  bytes: z.number(),
  deleted_at: z.number().nullable(),
}));
type SizesRow = z.infer<typeof sizesRow>;
const wordsRow = lazyObject(() => ({ words: z.string() }));

/** Every table whose rows belong to a session, with what is large in it. */
const contents = [
  ['turns', 'octet_length(body)'],
  ['items', 'octet_length(body)'],
  ['context', 'octet_length(body)'],
  ['tool_calls', 'octet_length(args) + coalesce(octet_length(result), 0)'],
  ['approvals', 'octet_length(body)'],
  ['session_data', 'octet_length(body)'],
  ['file_contents', 'octet_length(body)'],
  ['tool_results', 'octet_length(body)'],
] as const;

const sumOf = ([table, size]: (typeof contents)[number]): string =>
  `coalesce((SELECT sum(${size}) FROM ${table} WHERE session_id = s.id), 0)`;

const idRow = lazyObject(() => ({ id: z.string() }));

const nothing: SessionSizes = { count: 0, bytes: 0, deletedAt: null };

export function createUpkeepStore(database: Database) {
  const sizes = database.query<[], SizesRow>(
    `SELECT s.deleted_at IS NOT NULL AS deleted, count(*) AS count, min(s.deleted_at) AS deleted_at,
       sum(coalesce(octet_length(s.head), 0) + ${contents.map(sumOf).join(' + ')}) AS bytes
     FROM sessions s WHERE s.deleted_at IS NOT ${unfinished} GROUP BY 1`,
    sizesRow,
  );
  const integrity = database.query<[], { words: string }>(
    'SELECT integrity_check AS words FROM pragma_integrity_check',
    wordsRow,
  );
  const orphans = database.query<[], { words: string }>(
    `SELECT 'a row of ' || "table" || ' belongs to nothing in ' || parent AS words
     FROM pragma_foreign_key_check LIMIT 100`,
    wordsRow,
  );
  const deleted = database.query<[], { id: string }>(
    `SELECT id FROM sessions WHERE deleted_at <> ${unfinished} ORDER BY id`,
    idRow,
  );
  const version = database.query<[], { words: string }>('SELECT sqlite_version() AS words', wordsRow);

  return {
    sizeOfSessions(): { kept: SessionSizes; deleted: SessionSizes } {
      const rows = sizes.all();
      const of = (deleted: number): SessionSizes => {
        const row = rows.find((each) => each.deleted === deleted);
        return row ? { count: row.count, bytes: row.bytes, deletedAt: row.deleted_at } : nothing;
      };
      return { kept: of(0), deleted: of(1) };
    },
    /** By id: out of sight, and still to be had back. */
    deletedSessions: (): string[] => deleted.all().map(({ id }) => id),
    /** Bytes of the file that hold nothing. */
    unusedBytes: (): number =>
      Number(database.pragma('freelist_count')) * Number(database.pragma('page_size')),
    /** Writes the database anew without its unused space; needs as much free disk once more. */
    compact(): void {
      database.exec('VACUUM');
      // What was written anew stands in the write-ahead log until then.
      database.pragma('wal_checkpoint(TRUNCATE)');
    },
    /** In SQLite's words; empty = sound. */
    findProblems(): string[] {
      const words = [...integrity.all(), ...orphans.all()].map((row) => row.words);
      return words.filter((line) => line !== 'ok');
    },
    sqliteVersion: (): string => version.get()?.words ?? '',
  };
}
