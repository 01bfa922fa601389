/** Untruncated results of tool calls, for the person. A session keeps the newest of them. */
import { promisify } from 'node:util';
import { createInflateRaw, deflateRaw, inflateRaw } from 'node:zlib';
import { z } from 'zod';
import type { Database } from './sqlite.ts';

/** Of one session, as they are kept. Beyond it the oldest go. */
const maxKeptBytes = 64 * 1024 * 1024;

export type ToolResultStore = ReturnType<typeof createToolResultStore>;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

/** Off the event loop: a result can be many megabytes. */
export const packText = async (text: string): Promise<Uint8Array> => deflate(text, { level: 1 });

export const unpackText = async (packed: Uint8Array): Promise<string> => (await inflate(packed)).toString();

/** How much is inflated at a time, in bytes. */
const chunkSize = 256 * 1024;

/** `length` characters of it from there on, and whether more follow. Nothing behind them is inflated or held in memory. */
export async function unpackPiece(
  packed: Uint8Array,
  from: number,
  length: number,
): Promise<{ text: string; isLast: boolean }> {
  const inflating = createInflateRaw({ chunkSize }).setEncoding('utf8');
  inflating.end(packed);
  let text = '';
  let at = 0;
  for await (const chunk of inflating as AsyncIterable<string>) {
    text += chunk.slice(Math.max(0, from - at));
    at += chunk.length;
    if (text.length > length) break;
  }
  return { text: text.slice(0, length), isLast: text.length <= length };
}

export function createToolResultStore(database: Database, limit = maxKeptBytes) {
  const insert = database.command<[string, string, Uint8Array]>(
    `INSERT INTO tool_results (session_id, item_id, body) VALUES (?, ?, ?)
     ON CONFLICT (session_id, item_id) DO UPDATE SET body = excluded.body`,
  );
  const makeRoom = database.command<[string, number]>(
    `DELETE FROM tool_results WHERE number IN (
       SELECT number FROM (
         SELECT number, sum(octet_length(body)) OVER (ORDER BY number DESC) AS bytes
         FROM tool_results WHERE session_id = ?1
       ) WHERE bytes > ?2)`,
  );
  const one = database.query<[string, string], { body: Uint8Array }>(
    'SELECT body FROM tool_results WHERE session_id = ? AND item_id = ?',
    z.object({ body: z.instanceof(Uint8Array) }),
  );
  return {
    /** @param packed from `packText`. */
    keepResult: (sessionId: string, itemId: string, packed: Uint8Array): void =>
      database.transaction(() => {
        insert.run(sessionId, itemId, packed);
        makeRoom.run(sessionId, limit);
      }),
    /** The same for a copy, which makes room when it has them all. */
    copyResult: (sessionId: string, itemId: string, packed: Uint8Array): void =>
      void insert.run(sessionId, itemId, packed),
    makeRoom: (sessionId: string): void => void makeRoom.run(sessionId, limit),
    /** null = none was kept, or it had to make room. */
    keptResult: (sessionId: string, itemId: string): Uint8Array | null =>
      one.get(sessionId, itemId)?.body ?? null,
  };
}
