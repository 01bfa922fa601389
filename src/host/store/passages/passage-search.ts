/** Which passages belong to a question: by words and by vectors, put into one order. */
import { z } from 'zod';
import type { Database } from '../sqlite.ts';
import { createVectorTable, type Nearness, type VectorTable } from './vector-table.ts';
import { wordTerms } from './word-query.ts';

export interface NewPassage {
  /** "page 7", "lines 12-40"; '' = the file has no places. */
  place: string;
  /** Of the part that it stands in; '' = none. */
  heading: string;
  text: string;
}

export interface PassageHit extends NewPassage {
  collection: string;
  path: string;
  by: 'words' | 'meaning' | 'both';
}

export interface PassageQuestion {
  collections: readonly string[];
  query: string;
  /** null = words alone. */
  meaning: { digest: string; vector: Float32Array } | null;
  limit: number;
}

interface Scored {
  number: number;
  score: number;
  by: PassageHit['by'];
}

/** Of each way, before both are put together: one with few of the words may be the nearest by far. */
const candidates = 300;
const minToCompare = 20;
/** Each further passage of a file counts so much less: other files have their say, and a single long one still fills an answer. */
const furtherShare = 0.8;
/** Of a score, that of meaning, where there are vectors; the rest is that of words (docs/decisions/0017-passages.md). */
const meaningShare = 0.45;
/** Of FTS5: a word scores no more than this times its rarity, however often it stands in a passage. */
const maxPerWord = 2.2;

const hitRow = z.object({
  collection: z.string(),
  path: z.string(),
  place: z.string(),
  heading: z.string(),
  text: z.string(),
});
const vectorRow = z.object({ number: z.number(), vector: z.instanceof(Uint8Array), scale: z.number() });

export function createPassageSearch(database: Database) {
  const vectors = createVectorTables(database);
  const byWords = database.query<[string, string, number], { number: number; score: number }>(
    `SELECT words.rowid AS number, -bm25(words, 2.0, 1.0) AS score
     FROM words JOIN passages p ON p.number = words.rowid JOIN files f ON f.number = p.file
     WHERE words MATCH ?1 AND f.collection IN (SELECT value FROM json_each(?2))
     ORDER BY score DESC LIMIT ?3`,
    z.object({ number: z.number(), score: z.number() }),
  );
  const count = z.object({ count: z.number() });
  const passages = database.query<[], { count: number }>('SELECT count(*) AS count FROM passages', count);
  const havingWord = database.query<[string], { count: number }>(
    'SELECT count(*) AS count FROM words WHERE words MATCH ?',
    count,
  );
  const passage = database.query<[number], z.infer<typeof hitRow>>(
    `SELECT f.collection, f.path, p.place, p.heading, p.text
     FROM passages p JOIN files f ON f.number = p.file WHERE p.number = ?`,
    hitRow,
  );

  /**
   * By words, each with the share of what all words of the question could score, squared: half of the words tell much less than
   * half as much, so that some of a question that is put in other words do not hide what is near to it.
   */
  function wordShares(query: string, collections: readonly string[]): Map<number, number> {
    const terms = wordTerms(query);
    if (terms.length === 0) return new Map();
    const all = passages.get()?.count ?? 0;
    const rarity = (term: string): number => {
      const having = havingWord.get(term)?.count ?? 0;
      return Math.max(0, Math.log((all - having + 0.5) / (having + 0.5)));
    };
    const limit = maxPerWord * terms.reduce((sum, term) => sum + rarity(term), 0);
    const hits = byWords.all(terms.join(' OR '), JSON.stringify(collections), candidates);
    return new Map(
      hits.map(({ number, score }) => [number, limit > 0 ? Math.min(1, score / limit) ** 2 : 0]),
    );
  }

  function scored({ collections, query, meaning }: PassageQuestion): Scored[] {
    const words = wordShares(query, collections);
    const near = new Map(
      meaning
        ? nearness(collections.flatMap((each) => vectors.of(each, meaning.digest).all(meaning.vector)))
        : [],
    );
    const share = near.size > 0 ? meaningShare : 0;
    const nearest = new Set(
      [...near]
        .toSorted(([, a], [, b]) => b - a)
        .slice(0, candidates)
        .map(([number]) => number),
    );
    return [...new Set([...words.keys(), ...nearest])].map((number) => ({
      number,
      score: share * (near.get(number) ?? 0) + (1 - share) * (words.get(number) ?? 0),
      by: wayOf(words.has(number), nearest.has(number)),
    }));
  }

  return {
    /** The best first. */
    search(question: PassageQuestion): PassageHit[] {
      const found = scored(question).toSorted((a, b) => b.score - a.score || a.number - b.number);
      return bestOf(found, question.limit, (number) => passage.get(number));
    },
    /** Other vectors than before: of one collection, or of any. */
    forget: (collection?: string): void => vectors.forget(collection),
  };
}

/** The best first. @param found the best first, each for itself; undefined = a passage is gone */
function bestOf(
  found: readonly Scored[],
  limit: number,
  passageOf: (number: number) => z.infer<typeof hitRow> | undefined,
): PassageHit[] {
  const taken = new Map<string, number>();
  const waiting: { hit: PassageHit; file: string; score: number }[] = [];
  const hits: PassageHit[] = [];
  const now = ({ file, score }: { file: string; score: number }): number =>
    score * furtherShare ** (taken.get(file) ?? 0);
  const takeBest = (): void => {
    const best = waiting.reduce((most, each) => (now(each) > now(most) ? each : most));
    waiting.splice(waiting.indexOf(best), 1);
    taken.set(best.file, (taken.get(best.file) ?? 0) + 1);
    hits.push(best.hit);
  };
  for (const { number, score, by } of found) {
    // What waits can only become less, so a better one goes before what is looked at next.
    while (waiting.some((each) => now(each) >= score) && hits.length < limit) takeBest();
    if (hits.length === limit) return hits;
    const row = passageOf(number);
    if (row) waiting.push({ hit: { ...row, by }, file: `${row.collection} ${row.path}`, score });
  }
  while (waiting.length > 0 && hits.length < limit) takeBest();
  return hits;
}

/** Read when they are first asked for. */
function createVectorTables(database: Database) {
  const rows = database.query<[string, string], z.infer<typeof vectorRow>>(
    `SELECT p.number, p.vector, p.scale FROM files f JOIN passages p ON p.file = f.number
     WHERE f.collection = ? AND p.digest = ?`,
    vectorRow,
  );
  /** By collection, of the model that was asked last. */
  let tables = new Map<string, VectorTable>();
  let digest = '';
  return {
    of(collection: string, wanted: string): VectorTable {
      if (digest !== wanted) tables = new Map();
      digest = wanted;
      const known = tables.get(collection);
      if (known) return known;
      const read = rows.all(collection, digest).map(({ number, vector, scale }) => ({
        passage: number,
        vector: { bytes: new Int8Array(vector.buffer, vector.byteOffset, vector.length), scale },
      }));
      const table = createVectorTable(read);
      tables.set(collection, table);
      return table;
    },
    forget(collection?: string): void {
      if (collection === undefined) tables.clear();
      else tables.delete(collection);
    },
  };
}

/**
 * How much nearer each is than most others are: 1 = it says the same, 0 = as far as what has nothing to do with it. With one
 * model that is a cosine of 0.05, with another of 0.76.
 */
function nearness(all: readonly Nearness[]): [number, number][] {
  const middle = Float64Array.from(all, (each) => each.nearness).toSorted()[Math.floor(all.length / 2)] ?? 0;
  // Of one or two there is no middle that tells anything.
  const usual = all.length < minToCompare ? 0 : Math.min(middle, 0.99);
  return all.map((each) => [each.passage, Math.max(0, (each.nearness - usual) / (1 - usual))]);
}

function wayOf(byWords: boolean, byMeaning: boolean): PassageHit['by'] {
  if (byWords && byMeaning) return 'both';
  return byWords ? 'words' : 'meaning';
}
