/** Small JSON values by key: what a session keeps for its tools, and what was learnt of a model. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { JsonReader } from './json.ts';
import type { Database } from './sqlite.ts';

export type FactStore = ReturnType<typeof createFactStore>;

const bodyRow = lazyObject(() => ({ body: z.string() }));
const factRow = lazyObject(() => ({ digest: z.string(), body: z.string() }));
type BodyRow = z.infer<typeof bodyRow>;

export function createFactStore(database: Database, json: JsonReader) {
  const readData = database.query<[string, string], BodyRow>(
    'SELECT body FROM session_data WHERE session_id = ? AND key = ?',
    bodyRow,
  );
  const writeData = database.command<[string, string, string]>(
    `INSERT INTO session_data (session_id, key, body) VALUES (?, ?, ?)
       ON CONFLICT (session_id, key) DO UPDATE SET body = excluded.body`,
  );
  const readFact = database.query<[string, string], BodyRow>(
    'SELECT body FROM model_facts WHERE digest = ? AND key = ?',
    bodyRow,
  );
  const listFacts = database.query<[string], z.infer<typeof factRow>>(
    'SELECT digest, body FROM model_facts WHERE key = ? ORDER BY digest',
    factRow,
  );
  const writeFact = database.command<[string, string, string]>(
    `INSERT INTO model_facts (digest, key, body) VALUES (?, ?, ?)
       ON CONFLICT (digest, key) DO UPDATE SET body = excluded.body`,
  );
  const read = <T>(row: BodyRow | undefined, schema: z.ZodType<T>, table: string, id: string): T | null =>
    row ? (json.read(row.body, schema, { table, id }) ?? null) : null;

  return {
    /** null = never written, or damaged. */
    readSessionData: <T>(sessionId: string, key: string, schema: z.ZodType<T>): T | null =>
      read(readData.get(sessionId, key), schema, 'session_data', `${sessionId}/${key}`),
    writeSessionData: (sessionId: string, key: string, value: unknown): void =>
      void writeData.run(sessionId, key, JSON.stringify(value)),
    /** By the digest of the model's bytes, so that a new version of a model is learnt anew. */
    readModelFact: <T>(digest: string, key: string, schema: z.ZodType<T>): T | null =>
      read(readFact.get(digest, key), schema, 'model_facts', `${digest}/${key}`),
    writeModelFact: (digest: string, key: string, value: unknown): void =>
      void writeFact.run(digest, key, JSON.stringify(value)),
    /** Of all models, those that are not installed any more included. */
    listModelFacts: <T>(key: string, schema: z.ZodType<T>): T[] =>
      listFacts.all(key).flatMap((row) => read(row, schema, 'model_facts', `${row.digest}/${key}`) ?? []),
  };
}
