/** The one door to better-sqlite3: typed rows in and out, and every failure of the disk as an AndironError. */
import Sqlite from 'better-sqlite3';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import { z } from 'zod';
import { AndironError } from '../../protocol/errors.ts';

type SqlValue = string | number | Uint8Array | null;

interface Command<P extends SqlValue[]> {
  /** Returns how many rows changed. */
  run(...params: P): number;
}

interface Query<P extends SqlValue[], Row> {
  get(...params: P): Row | undefined;
  all(...params: P): Row[];
  /** One row after the other. Until the last is taken or the loop is left, nothing else can be done with the database: for a reader. */
  each(...params: P): Iterable<Row>;
}

export interface Database {
  command<P extends SqlValue[]>(sql: string): Command<P>;
  /** `row` describes the columns; tables are STRICT, so only what stands inside a JSON column can surprise. */
  query<P extends SqlValue[], Row>(sql: string, row: z.ZodType<Row>): Query<P, Row>;
  exec(sql: string): void;
  /** The first column of the first row. */
  pragma(text: string): unknown;
  /** All of it or nothing; may be nested. */
  transaction<T>(run: () => T): T;
  /** Reads everything as it is at the first look; for a connection that never writes. */
  snapshot<T>(read: () => T): T;
  close(): void;
}

/**
 * WAL with `synchronous=FULL`: what was acknowledged survives a power cut. Both are asked back from the
 * live connection, because a file system may refuse WAL without an error. Throws AndironError `storage`.
 */
export function openDatabase(path: string): Database {
  const onDisk = guard(path);
  if (!mayBeDatabase(path)) throw damaged(path, new Error('It does not begin as a database does.'));
  const live = onDisk(() => new Sqlite(path, { timeout: 1_000 }));
  const database = typed(live, onDisk);
  try {
    // Before anything is written: the first setting of ours would already change a file that is somebody else's.
    const isMarked = assertOurs(database, path);
    prepareConnection(database, path);
    if (!isMarked) database.pragma(`application_id = ${String(applicationId)}`);
    return database;
  } catch (error) {
    live.close();
    throw error;
  }
}

/**
 * A second way in, which never writes: it sees the database as it is now, whatever is written until it is closed. While
 * it is open, the write-ahead log cannot be emptied.
 */
export function openReader(path: string): Database {
  const database = openReadOnly(path);
  try {
    database.exec('BEGIN');
    // What it sees is fixed by the first look, not by the beginning.
    database.pragma('user_version');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A second way in, which never writes and sees the database as it is at each look. */
export function openReadOnly(path: string): Database {
  const onDisk = guard(path);
  return typed(
    onDisk(() => new Sqlite(path, { readonly: true, timeout: 1_000 })),
    onDisk,
  );
}

function typed(live: Sqlite.Database, onDisk: <T>(run: () => T) => T): Database {
  return {
    command(sql) {
      const statement = onDisk(() => live.prepare(sql));
      const bind = binder(sql);
      return { run: (...params) => onDisk(() => statement.run(...bind(params)).changes) };
    },
    query<P extends SqlValue[], Row>(sql: string, row: z.ZodType<Row>): Query<P, Row> {
      // At once: a database that lost a table is found out before anything is done with it.
      const statement = onDisk(() => live.prepare(sql));
      const bind = binder(sql);
      // A start needs few of some hundred statements.
      let one: z.ZodType<Row | undefined> | undefined;
      let rows: z.ZodType<Row[]> | undefined;
      return {
        get: (...params) => (one ??= row.optional()).parse(onDisk(() => statement.get(...bind(params)))),
        all: (...params) => (rows ??= z.array(row)).parse(onDisk(() => statement.all(...bind(params)))),
        *each(...params) {
          const left = onDisk(() => statement.iterate(...bind(params)));
          try {
            for (;;) {
              const next = onDisk(() => left.next());
              if (next.done) return;
              yield row.parse(next.value);
            }
          } finally {
            left.return?.();
          }
        },
      };
    },
    exec: (sql) => void onDisk(() => live.exec(sql)),
    pragma: (text) => onDisk(() => live.pragma(text, { simple: true })),
    transaction: (run) => onDisk(() => live.transaction(run).immediate()),
    snapshot: (read) => onDisk(() => live.transaction(read).deferred()),
    close: () => void onDisk(() => live.close()),
  };
}

/** The driver takes values by position for `?`, and for `?1`, `?2` by the number as a name. */
function binder(sql: string): (params: SqlValue[]) => unknown[] {
  if (!/\?\d/.test(sql)) return (params) => params;
  return (params) => [Object.fromEntries(params.map((value, index) => [index + 1, value]))];
}

/** What every database begins with. */
const beginning = Buffer.from('SQLite format 3\0');

/**
 * SQLite takes a file of less than its smallest page for an empty database, and writes over it. One that is not there, or
 * is empty, may become one; what cannot be read is told when it is opened.
 */
function mayBeDatabase(path: string): boolean {
  let file: number;
  try {
    // A pipe in its place would keep us waiting.
    file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return true;
  }
  try {
    const head = Buffer.alloc(beginning.length);
    const length = readSync(file, head, 0, head.length, 0);
    return length === 0 || head.equals(beginning);
  } catch {
    return true;
  } finally {
    closeSync(file);
  }
}

/** Says in the file itself whose it is: "Andi". */
const applicationId = 0x41_6e_64_69;
/** What every Andiron before that mark had. */
const oldTables = ['items', 'sessions', 'turns'];

const names = z.object({ name: z.string() });

/** Of the whole database at once, every search index would be checked word by word, which takes longer than all else. */
const damages = `
  SELECT checked.quick_check AS words FROM pragma_table_list AS list, pragma_quick_check(list.name) AS checked
  WHERE list.schema = 'main' AND list.type <> 'virtual' AND checked.quick_check <> 'ok' LIMIT 1`;
const words = z.object({ words: z.string() });

/** False for a new database and for one of an Andiron that did not mark its own yet. Throws for every other. */
function assertOurs(database: Database, path: string): boolean {
  if (database.pragma('application_id') === applicationId) return true;
  const tables = database.query("SELECT name FROM sqlite_master WHERE type = 'table'", names).all();
  const isNew = tables.length === 0 && database.pragma('user_version') === 0;
  const isOld = oldTables.every((table) => tables.some(({ name }) => name === table));
  if (database.pragma('application_id') === 0 && (isNew || isOld)) return false;
  throw new AndironError(
    'storage',
    `${path} is the database of another program.`,
    'Nothing was changed. Move that file away, or start Andiron with another data folder (--data-dir).',
  );
}

function prepareConnection(database: Database, path: string): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  const inForce = {
    journal: database.pragma('journal_mode'),
    synchronous: database.pragma('synchronous'),
    foreignKeys: database.pragma('foreign_keys'),
  };
  if (inForce.journal !== 'wal' || inForce.synchronous !== 2 || inForce.foreignKeys !== 1) {
    throw new AndironError(
      'storage',
      `The database ${path} cannot be opened safely (${JSON.stringify(inForce)}).`,
      'Keep the data folder on a local disk: network drives lack what the database needs.',
    );
  }
  const [problem] = database.query(damages, words).all();
  if (problem) throw damaged(path, new Error(problem.words));
}

/** What the disk can do to us, by the beginning of SQLite's code. Other codes are mistakes of ours and stay as they are. */
const failures: [code: string, what: string, advice: string][] = [
  ['SQLITE_FULL', 'The disk is full', 'Free some space; what was saved before is kept.'],
  [
    'SQLITE_BUSY',
    'Another program uses the database',
    'Close the other Andiron or whatever holds the file open.',
  ],
  [
    'SQLITE_LOCKED',
    'Another program uses the database',
    'Close the other Andiron or whatever holds the file open.',
  ],
  ['SQLITE_READONLY', 'The database cannot be written', 'Give yourself write permission on the data folder.'],
  [
    'SQLITE_CANTOPEN',
    'The database cannot be opened',
    'Check that the data folder exists and can be written.',
  ],
  [
    'SQLITE_IOERR',
    'The disk reports an error',
    'Check the disk that holds the data folder, then start Andiron again.',
  ],
];

function guard(path: string): <T>(run: () => T) => T {
  return (run) => {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof Sqlite.SqliteError)) throw error;
      if (error.code.startsWith('SQLITE_CORRUPT') || error.code === 'SQLITE_NOTADB')
        throw damaged(path, error);
      const known = failures.find(([code]) => error.code.startsWith(code));
      if (!known) throw error;
      throw new AndironError('storage', `${known[1]}: ${path} (${error.message}).`, known[2], {
        cause: error,
      });
    }
  };
}

function damaged(path: string, cause: Error): AndironError {
  return new AndironError(
    'storage',
    `${path} is damaged, or is not a database of Andiron.`,
    'Nothing was changed. Put a copy from the folder "backups" in its place, or move the file away to begin without sessions.',
    { cause },
  );
}
