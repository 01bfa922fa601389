/**
 * Passages of files, with words and vectors to find them by. In a database of its own, since all of it can be made again:
 * nobody waits for a copy of it, and one that is damaged is thrown away.
 */
import { z } from 'zod';
import type { Database } from '../sqlite.ts';
import { spaced } from './word-query.ts';
import {
  createPassageSearch,
  type NewPassage,
  type PassageHit,
  type PassageQuestion,
} from './passage-search.ts';
import { toBytes } from './vector-table.ts';

/** Another one throws the old index away. */
export const passageSchemaVersion = 1;

export const passageTables = `
CREATE TABLE files (
  number     INTEGER PRIMARY KEY,
  collection TEXT NOT NULL,
  path       TEXT NOT NULL,
  -- Changes with the file.
  state      TEXT NOT NULL,
  -- Why there is no text of it; NULL = there is.
  problem    TEXT,
  passages   INTEGER NOT NULL,
  characters INTEGER NOT NULL,
  UNIQUE (collection, path)
) STRICT;
CREATE TABLE passages (
  -- Never given again: a vector that comes late belongs to the text that it was made of.
  number  INTEGER PRIMARY KEY AUTOINCREMENT,
  file    INTEGER NOT NULL REFERENCES files (number) ON DELETE CASCADE,
  place   TEXT NOT NULL,
  heading TEXT NOT NULL,
  text    TEXT NOT NULL,
  -- Of the model that made the vector; NULL = there is none.
  digest  TEXT,
  vector  BLOB,
  scale   REAL
) STRICT;
CREATE INDEX passages_by_file ON passages (file);
CREATE INDEX passages_by_digest ON passages (digest);
CREATE VIRTUAL TABLE words USING fts5 (name, text, content = '', contentless_delete = 1, tokenize = 'porter unicode61 remove_diacritics 2');
`;

interface IndexedFile {
  path: string;
  state: string;
}

interface PassageText {
  number: number;
  /** With what tells where it stands. */
  text: string;
}

interface CollectionCounts {
  files: number;
  unread: number;
  passages: number;
  withVector: number;
  characters: number;
}

export type PassageStore = ReturnType<typeof createPassageStore>;

const number = z.object({ number: z.number() });

export function createPassageStore(database: Database) {
  const search = createPassageSearch(database);
  const forget = (collection?: string): void => search.forget(collection);
  return {
    ...createReading(database),
    ...createWriting(database, forget),
    ...createVectors(database, forget),
    search: (question: PassageQuestion): PassageHit[] => search.search(question),
    /** Gives the memory back that searches took. */
    rest: (): void => forget(),
  };
}

function createReading(database: Database) {
  const listed = database.query<[string], IndexedFile>(
    'SELECT path, state FROM files WHERE collection = ?',
    z.object({ path: z.string(), state: z.string() }),
  );
  const unread = database.query<[string, number], { path: string; reason: string }>(
    'SELECT path, problem AS reason FROM files WHERE collection = ? AND problem IS NOT NULL ORDER BY path LIMIT ?',
    z.object({ path: z.string(), reason: z.string() }),
  );
  const counts = database.query<[string, string], CollectionCounts>(
    `SELECT count(*) AS files, count(problem) AS unread,
       coalesce(sum(passages), 0) AS passages, coalesce(sum(characters), 0) AS characters,
       (SELECT count(*) FROM files f JOIN passages p ON p.file = f.number
        WHERE f.collection = ?1 AND p.digest = ?2) AS withVector
     FROM files WHERE collection = ?1`,
    z.object({
      files: z.number(),
      unread: z.number(),
      passages: z.number(),
      characters: z.number(),
      withVector: z.number(),
    }),
  );
  return {
    files: (collection: string): IndexedFile[] => listed.all(collection),
    unread: (collection: string, limit: number): { path: string; reason: string }[] =>
      unread.all(collection, limit),
    /** @param digest of the model in use; '' = none */
    counts: (collection: string, digest: string): CollectionCounts =>
      counts.get(collection, digest) ?? { files: 0, unread: 0, passages: 0, characters: 0, withVector: 0 },
  };
}

/** Of a file that is to be read again, whatever it is now. */
const noState = '';

/** @param forget is called with each collection that has other passages than before */
function createWriting(database: Database, forget: (collection: string) => void) {
  const addFile = database.query<[string, string, string, string | null, number, number], { number: number }>(
    `INSERT INTO files (collection, path, state, problem, passages, characters) VALUES (?, ?, ?, ?, ?, ?)
     RETURNING number`,
    number,
  );
  const fail = database.query<[string, string, string], { number: number }>(
    `UPDATE files SET state = '${noState}', problem = ? WHERE collection = ? AND path = ? RETURNING number`,
    number,
  );
  const forgetState = database.command<[string]>(
    `UPDATE files SET state = '${noState}' WHERE collection = ? AND problem IS NOT NULL`,
  );
  const addPassage = database.query<[number, string, string, string], { number: number }>(
    'INSERT INTO passages (file, place, heading, text) VALUES (?, ?, ?, ?) RETURNING number',
    number,
  );
  const addWords = database.command<[number, string, string]>(
    'INSERT INTO words (rowid, name, text) VALUES (?, ?, ?)',
  );
  const dropWords = database.command<[string, string | null]>(
    `DELETE FROM words WHERE rowid IN (SELECT p.number FROM passages p JOIN files f ON f.number = p.file
     WHERE f.collection = ?1 AND (?2 IS NULL OR f.path = ?2))`,
  );
  const dropFiles = database.command<[string, string | null]>(
    'DELETE FROM files WHERE collection = ?1 AND (?2 IS NULL OR path = ?2)',
  );
  const vectorsOf = database.query<[string, string], z.infer<typeof oldVector>>(
    `SELECT p.heading, p.text, p.digest, p.vector, p.scale FROM passages p JOIN files f ON f.number = p.file
     WHERE f.collection = ? AND f.path = ? AND p.digest IS NOT NULL`,
    oldVector,
  );
  const keepVector = database.command<[number, string, Uint8Array, number]>(putVectorSql);
  const drop = (collection: string, path: string | null): void => {
    dropWords.run(collection, path);
    dropFiles.run(collection, path);
  };

  return {
    /** In place of what was known of that file. A passage that says the same as before keeps its vector. */
    put(
      file: IndexedFile & { collection: string; name: string; problem: string | null },
      passages: readonly NewPassage[],
    ): void {
      const { collection, path, state, problem } = file;
      const characters = passages.reduce((sum, { text }) => sum + text.length, 0);
      database.transaction(() => {
        const before = new Map(vectorsOf.all(collection, path).map((each) => [keyOf(each), each]));
        drop(collection, path);
        const { number: at } =
          addFile.get(collection, path, state, problem, passages.length, characters) ?? unwritten();
        for (const passage of passages) {
          const { place, heading, text } = passage;
          const added = addPassage.get(at, place, heading, text) ?? unwritten();
          addWords.run(added.number, spaced(`${file.name} ${heading}`), spaced(text));
          const same = before.get(keyOf(passage));
          if (same) keepVector.run(added.number, same.digest, same.vector, same.scale);
        }
      });
      forget(collection);
    },
    /** Its passages stay. Its state is none, so it counts as changed. */
    putFailure({ collection, path }: { collection: string; path: string }, problem: string): void {
      const known = fail.get(problem, collection, path);
      if (!known && !addFile.get(collection, path, noState, problem, 0, 0)) unwritten();
    },
    /** Files of which something could not be read count as changed. */
    forgetFailed(collection: string): void {
      forgetState.run(collection);
    },
    drop(collection: string, paths: readonly string[]): void {
      database.transaction(() => paths.forEach((path) => drop(collection, path)));
      forget(collection);
    },
    /** Nothing of its texts is left in the file of the database. */
    remove(collection: string): void {
      database.transaction(() => {
        drop(collection, null);
        // Words that were dropped stay in the index until its parts are merged.
        database.exec("INSERT INTO words (words) VALUES ('optimize')");
      });
      forget(collection);
      database.exec('PRAGMA incremental_vacuum; PRAGMA wal_checkpoint(TRUNCATE)');
    },
  };
}

/** @param forget is called where there are other vectors than before */
function createVectors(database: Database, forget: () => void) {
  const without = database.query<[number], z.infer<typeof textRow>>(
    `SELECT p.number, f.path, p.heading, p.text FROM passages p JOIN files f ON f.number = p.file
     WHERE p.digest IS NULL ORDER BY p.number LIMIT ?`,
    textRow,
  );
  const forgetOthers = database.command<[string]>(
    'UPDATE passages SET digest = NULL, vector = NULL, scale = NULL WHERE digest < ?1 OR digest > ?1',
  );
  const put = database.command<[number, string, Uint8Array, number]>(putVectorSql);
  return {
    /** Passages that this model has made no vector of, the oldest first. Vectors of another model are forgotten. */
    withoutVector(digest: string, limit: number): PassageText[] {
      const found = without.all(limit);
      if (found.length > 0 || forgetOthers.run(digest) === 0) return found.map(textOf);
      return without.all(limit).map(textOf);
    },
    putVectors(digest: string, entries: readonly { number: number; vector: Float32Array }[]): void {
      database.transaction(() => {
        for (const { number: at, vector } of entries) {
          const { bytes, scale } = toBytes(vector);
          put.run(at, digest, new Uint8Array(bytes.buffer), scale);
        }
      });
      forget();
    },
  };
}

const putVectorSql = 'UPDATE passages SET digest = ?2, vector = ?3, scale = ?4 WHERE number = ?1';
const keyOf = ({ heading, text }: { heading: string; text: string }): string => `${heading}\0${text}`;

const oldVector = z.object({
  heading: z.string(),
  text: z.string(),
  digest: z.string(),
  vector: z.instanceof(Uint8Array),
  scale: z.number(),
});
const textRow = z.object({ number: z.number(), path: z.string(), heading: z.string(), text: z.string() });

/** What a vector is made of: a passage alone often does not say what it is about. */
function textOf({ number: at, path, heading, text }: z.infer<typeof textRow>): PassageText {
  return { number: at, text: `${nameWords(path)}${heading === '' ? '' : `, ${heading}`}\n${text}` };
}

/** "Guides/fire-safety.md" is about fire safety. */
export const nameWords = (path: string): string =>
  path
    .slice(path.lastIndexOf('/') + 1)
    .replace(/\.[^.]{1,6}$/, '')
    .replaceAll(/[_-]+/g, ' ');

function unwritten(): never {
  throw new Error('A row was not written.');
}
