/** Vectors of facts, beside the words by which they are found. */
import { z } from 'zod';
import type { Database } from './sqlite.ts';

export type VectorStore = ReturnType<typeof createVectorStore>;

/** What a vector is made of. */
export interface FactText {
  number: number;
  key: string;
  value: string;
}

export interface FactVector {
  number: number;
  /** Of the fact. */
  id: string;
  vector: Float32Array;
}

const textRow = z.object({
  number: z.number(),
  key: z.string(),
  value: z.string(),
}) satisfies z.ZodType<FactText>;
const vectorRow = z.object({ number: z.number(), id: z.string(), vector: z.instanceof(Uint8Array) });
const alive = (now: string): string => `(f.expires_at IS NULL OR f.expires_at > ${now})`;

export function createVectorStore(database: Database) {
  const without = database.query<[string, number, number], FactText>(
    `SELECT f.number, f.key, f.value FROM memory_facts f LEFT JOIN memory_vectors v ON v.fact = f.number
     WHERE (v.digest IS NULL OR v.digest <> ?1) AND ${alive('?2')} ORDER BY f.number DESC LIMIT ?3`,
    textRow,
  );
  const put = database.command<[number, string, string, string, Uint8Array]>(
    `INSERT OR REPLACE INTO memory_vectors (fact, user_id, digest, vector)
     SELECT number, user_id, ?4, ?5 FROM memory_facts WHERE number = ?1 AND key = ?2 AND value = ?3`,
  );
  // In the order of the index, so that no page looks at more than it returns.
  const page = database.query<[string, string, number, number, number], z.infer<typeof vectorRow>>(
    `SELECT f.number, f.id, v.vector FROM memory_vectors v CROSS JOIN memory_facts f ON f.number = v.fact
     WHERE v.user_id = ?1 AND v.digest = ?2 AND v.fact > ?3 AND ${alive('?4')} ORDER BY v.fact LIMIT ?5`,
    vectorRow,
  );
  const counted = database.query<[string, string, number], { indexed: number; total: number }>(
    `SELECT count(v.fact) AS indexed, count(*) AS total
     FROM memory_facts f LEFT JOIN memory_vectors v ON v.fact = f.number AND v.digest = ?2
     WHERE f.user_id = ?1 AND ${alive('?3')}`,
    z.object({ indexed: z.number(), total: z.number() }),
  );
  const most = database.query<[], { digest: string }>(
    'SELECT digest FROM memory_vectors GROUP BY digest ORDER BY count(*) DESC, digest LIMIT 1',
    z.object({ digest: z.string() }),
  );

  return {
    /** Facts of anybody that have no vector of this model, the newest first. */
    factsWithoutVector: (digest: string, now: number, limit: number): FactText[] =>
      without.all(digest, now, limit),
    /** False = the fact is gone, or says something else by now, and nothing was written. */
    putVector: ({ number, key, value }: FactText, digest: string, vector: Float32Array): boolean =>
      put.run(number, key, value, digest, bytesOf(vector)) > 0,
    /** Of one person, from behind that number on. */
    vectorsAfter: (
      { userId, digest }: { userId: string; digest: string },
      number: number,
      now: number,
      limit: number,
    ): FactVector[] =>
      page.all(userId, digest, number, now, limit).map((row) => ({ ...row, vector: floatsOf(row.vector) })),
    /** Of one person: facts with a vector of this model, and all. */
    countVectors: (userId: string, digest: string, now: number): { indexed: number; total: number } =>
      counted.get(userId, digest, now) ?? { indexed: 0, total: 0 },
    /** The model that most vectors are of; null = there are none. */
    digestOfMost: (): string | null => most.get()?.digest ?? null,
  };
}

const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

function bytesOf(vector: Float32Array): Uint8Array {
  if (isLittleEndian) return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  const bytes = new DataView(new ArrayBuffer(vector.byteLength));
  vector.forEach((value, at) => bytes.setFloat32(at * 4, value, true));
  return new Uint8Array(bytes.buffer);
}

function floatsOf(bytes: Uint8Array): Float32Array {
  if (isLittleEndian && bytes.byteOffset % 4 === 0)
    return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: bytes.byteLength / 4 }, (_, at) => view.getFloat32(at * 4, true));
}
