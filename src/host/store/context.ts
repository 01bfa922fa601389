/**
 * What the model sees. Append-only within a generation. Every call has exactly one result in every prefix that is
 * ever on disk (X12 a): its placeholder is written with the call, and the real result takes the placeholder's place.
 */
import { z } from 'zod';
import { attachmentSchema } from '../../protocol/attachments.ts';
import { promptOriginSchema } from '../../protocol/mcp-offers.ts';
import type { JsonReader } from './json.ts';
import type { Database } from './sqlite.ts';

/** The result of a call whose end was never seen. */
export const interruptedResult = 'interrupted; it may have run';

const sentFileSchema = attachmentSchema.omit({ bytes: true }).extend({ path: z.string() });

/** The log of the prompt. There is no `system` role: the head is kept apart (X12 b). */
export const contextMessageSchema = z.lazy(() =>
  z.discriminatedUnion('role', [
    z.object({
      role: z.literal('user'),
      content: z.string(),
      opening: z.number().int().nonnegative().optional(),
      files: z.array(sentFileSchema).optional(),
      from: promptOriginSchema.optional(),
    }),
    z.object({
      role: z.literal('assistant'),
      content: z.string(),
      thinking: z.string(),
      calls: z.array(z.object({ id: z.string(), name: z.string(), args: z.record(z.string(), z.unknown()) })),
      /** Fields that its provider wants back as they came (Q22). */
      extra: z.record(z.string(), z.unknown()).optional(),
    }),
    z.object({
      role: z.literal('tool'),
      callId: z.string(),
      tool: z.string(),
      content: z.string(),
      files: z.array(sentFileSchema).optional(),
    }),
  ]),
);
export type StoredMessage = z.infer<typeof contextMessageSchema>;

export type ContextStore = ReturnType<typeof createContextStore>;

/** A message with the turn it came with. */
export interface OwnedMessage {
  message: StoredMessage;
  turnId: string | null;
}

const anyRow = { position: z.number(), turn_id: z.string().nullable(), body: z.string() };
const contextRow = z.discriminatedUnion('role', [
  z.object({ ...anyRow, role: z.enum(['user', 'assistant']), call_id: z.null() }),
  z.object({ ...anyRow, role: z.literal('tool'), call_id: z.string() }),
]);
type ContextRow = z.infer<typeof contextRow>;

/** Rows of the generation in force: a compaction starts a new one. */
const inForce = 'session_id = ?1 AND generation = (SELECT generation FROM sessions WHERE id = ?1)';

function statementsOf(database: Database) {
  const columns = 'position, role, call_id, turn_id, body';
  const select = `SELECT ${columns} FROM context WHERE ${inForce} ORDER BY position`;
  const generationRow = z.object({ generation: z.number().nullable() });
  return {
    insert: database.command<[string, string, string | null, 0 | 1, string, string | null]>(`
      INSERT INTO context (session_id, generation, position, role, call_id, is_placeholder, body, turn_id)
      VALUES (?1, (SELECT generation FROM sessions WHERE id = ?1),
        (SELECT coalesce(max(position) + 1, 0) FROM context WHERE ${inForce}), ?2, ?3, ?4, ?5, ?6)`),
    copy: database.command<[string, number, number, string, string | null, string, string | null]>(`
      INSERT INTO context (session_id, generation, position, role, call_id, is_placeholder, body, turn_id)
      VALUES (?, ?, ?, ?, ?, 0, ?, ?)`),
    fill: database.command<[string, string, string]>(
      `UPDATE context SET body = ?3, is_placeholder = 0 WHERE ${inForce} AND call_id = ?2 AND is_placeholder = 1`,
    ),
    preface: database.command<[string, string, string]>(
      `UPDATE context SET body = json_set(body, '$.content', ?3 || json_extract(body, '$.content'))
       WHERE ${inForce} AND call_id = ?2 AND is_placeholder = 1`,
    ),
    rewriteNewest: database.command<[string, string]>(
      `UPDATE context SET body = ?2 WHERE ${inForce} AND role = 'user'
       AND position = (SELECT max(position) FROM context WHERE ${inForce})`,
    ),
    settle: database.command<[string]>(
      `UPDATE context SET is_placeholder = 0 WHERE ${inForce} AND is_placeholder = 1`,
    ),
    newest: database.query<[string], ContextRow>(`${select} DESC LIMIT 1`, contextRow),
    all: database.query<[string], ContextRow>(select, contextRow),
    // Counted in the index of the primary key: no body is read.
    length: database.query<[string], { length: number }>(
      `SELECT count(*) AS length FROM context WHERE ${inForce}`,
      z.object({ length: z.number() }),
    ),
    ofGeneration: database.query<[string, number], ContextRow>(
      `SELECT ${columns} FROM context WHERE session_id = ?1 AND generation = ?2 ORDER BY position`,
      contextRow,
    ),
    upToTurn: database.query<[string, number, string | null], ContextRow>(
      `SELECT ${columns} FROM context WHERE session_id = ?1 AND generation = ?2 AND (?3 IS NULL OR position <=
         (SELECT max(position) FROM context WHERE session_id = ?1 AND generation = ?2 AND turn_id = ?3))
       ORDER BY position`,
      contextRow,
    ),
    owners: database.query<[string], { turn_id: string; generation: number }>(
      `SELECT turn_id, generation FROM context WHERE session_id = ? AND turn_id IS NOT NULL
       ORDER BY generation, position`,
      z.object({ turn_id: z.string(), generation: z.number() }),
    ),
    current: database.query<[string], { generation: number | null }>(
      'SELECT generation FROM sessions WHERE id = ?1',
      generationRow,
    ),
    highest: database.query<[string], { generation: number | null }>(
      'SELECT max(generation) AS generation FROM context WHERE session_id = ?1',
      generationRow,
    ),
    highestWithTurn: database.query<[string, string], { generation: number | null }>(
      'SELECT max(generation) AS generation FROM context WHERE session_id = ?1 AND turn_id = ?2',
      generationRow,
    ),
    withTurn: database.query<[string, string], { generation: number | null }>(
      'SELECT DISTINCT generation FROM context WHERE session_id = ?1 AND turn_id = ?2 ORDER BY generation DESC',
      generationRow,
    ),
    // What cannot be read may have been anything.
    foreign: database.query<[string, string, string], { found: number }>(
      `SELECT 1 AS found FROM context WHERE session_id = ?1 AND NOT json_valid(body) OR session_id = ?1 AND CASE role
         WHEN 'user' THEN json_extract(body, '$.files') IS NOT NULL OR json_extract(body, '$.from') IS NOT NULL
         WHEN 'tool' THEN is_placeholder = 0 AND json_extract(body, '$.content') <> ?3
           AND json_extract(body, '$.tool') NOT IN (SELECT value FROM json_each(?2))
         ELSE 0 END LIMIT 1`,
      z.object({ found: z.number() }),
    ),
    setGeneration: database.command<[string, number]>('UPDATE sessions SET generation = ?2 WHERE id = ?1'),
  };
}

export function createContextStore(database: Database, json: JsonReader) {
  const sql = statementsOf(database);

  const generation = (sessionId: string): number => sql.current.get(sessionId)?.generation ?? 1;

  function readRows(sessionId: string, rows: ContextRow[]): OwnedMessage[] {
    return rows.map((row, index) => readRow(sessionId, row, () => rows.slice(index + 1)));
  }

  function readRow(sessionId: string, row: ContextRow, following: () => ContextRow[]): OwnedMessage {
    const place = { table: 'context', id: `${sessionId}/${String(row.position)}` };
    const message = json.readExact(row.body, contextMessageSchema, place);
    return { message: message ?? standIn(row, following()), turnId: row.turn_id };
  }

  function append(sessionId: string, message: StoredMessage, turnId: string | null): void {
    const body = JSON.stringify(message);
    if (message.role === 'tool') {
      if (sql.fill.run(sessionId, message.callId, body) === 1) return;
      throw new Error(`The call ${message.callId} of ${message.tool} waits for no result`);
    }
    sql.insert.run(sessionId, message.role, null, 0, body, turnId);
    for (const { id: callId, name: tool } of message.role === 'assistant' ? message.calls : []) {
      const placeholder: StoredMessage = { role: 'tool', callId, tool, content: interruptedResult };
      sql.insert.run(sessionId, 'tool', callId, 1, JSON.stringify(placeholder), turnId);
    }
  }

  return {
    /**
     * In one transaction. An assistant message comes with a placeholder for each of its calls; a `tool` message takes
     * its call's placeholder's place, so results stand in the order of the calls. One whose call is unknown or already
     * has its result is a mistake of the caller: throws, and nothing is written.
     */
    appendContext(sessionId: string, messages: readonly StoredMessage[], turnId: string | null = null): void {
      database.transaction(() => {
        for (const message of messages) append(sessionId, message, turnId);
      });
    },
    /** Of a person's message that no model was sent yet. */
    rewriteNewest: (sessionId: string, message: StoredMessage): void =>
      void sql.rewriteNewest.run(sessionId, JSON.stringify(message)),
    readContext: (sessionId: string): StoredMessage[] =>
      readRows(sessionId, sql.all.all(sessionId)).map(({ message }) => message),
    /** How many messages that are, without reading them. */
    contextLength: (sessionId: string): number => sql.length.get(sessionId)?.length ?? 0,
    /** Which turn each message of the generation in force came with, in order; null = a summary, or an older Andiron. */
    turnsOfContext: (sessionId: string): (string | null)[] =>
      sql.all.all(sessionId).map(({ turn_id }) => turn_id),
    /**
     * Starts a new generation with these messages, complete with their results, and returns its number. The one before
     * stays, so that its undo can return to it.
     */
    beginGeneration: (sessionId: string, messages: readonly OwnedMessage[]): number =>
      database.transaction(() => {
        const next = Math.max(sql.highest.get(sessionId)?.generation ?? 0, generation(sessionId)) + 1;
        sql.setGeneration.run(sessionId, next);
        for (const { message, turnId } of messages) append(sessionId, message, turnId);
        return next;
      }),
    generation,
    /** One that was in force before is again, with all that it held. */
    returnToGeneration: (id: string, number: number): void => void sql.setGeneration.run(id, number),
    /** The newest generation in which this turn still stands whole: what was before it, and it; null = nowhere. */
    contextWithTurn(sessionId: string, turnId: string): OwnedMessage[] | null {
      const found = sql.highestWithTurn.get(sessionId, turnId)?.generation ?? null;
      if (found === null) return null;
      const rows = sql.ofGeneration.all(sessionId, found);
      const end = rows.findLastIndex((row) => row.turn_id === turnId);
      return readRows(sessionId, rows.slice(0, end + 1));
    },
    /**
     * What the model had read before this turn, and the generation that this begins like: the newest one in which the
     * turn stands whole, so that no summary of its own steps is in it. null = no message came with this turn.
     */
    contextBefore(
      sessionId: string,
      turnId: string,
    ): { messages: OwnedMessage[]; generation: number } | null {
      const versions = sql.withTurn.all(sessionId, turnId).flatMap(({ generation: number }) => {
        if (number === null) return [];
        const rows = sql.ofGeneration.all(sessionId, number);
        return [{ number, rows, shape: shapeOf(rows, turnId) }];
      });
      const whole = versions.find(({ shape }, index) =>
        versions.slice(index + 1).every((older) => shape.startsWith(older.shape)),
      );
      if (!whole) return null;
      const start = whole.rows.findIndex((row) => row.turn_id === turnId);
      return { messages: readRows(sessionId, whole.rows.slice(0, start)), generation: whole.number };
    },
    /** The same, one after the other; of a view alone. `upTo`: the last is the last that came with this turn. */
    *eachMessage(sessionId: string, number: number, upTo?: string): Iterable<OwnedMessage> {
      // A row that cannot be read is told by the results behind it, so those wait with it.
      let waiting: ContextRow[] = [];
      function* read(): Generator<OwnedMessage> {
        for (const [index, row] of waiting.entries())
          yield readRow(sessionId, row, () => waiting.slice(index + 1));
        waiting = [];
      }
      for (const row of sql.upToTurn.each(sessionId, number, upTo ?? null)) {
        if (row.role !== 'tool') yield* read();
        waiting.push(row);
      }
      yield* read();
    },
    /** The turn of each message and its generation, the oldest generation first; of a view alone. */
    *eachOwner(sessionId: string): Iterable<{ turnId: string; generation: number }> {
      for (const { turn_id: turnId, generation: number } of sql.owners.each(sessionId))
        yield { turnId, generation: number };
    },
    /** One message of a copy, whose results come as messages of their own: right after their call, each call's one. */
    copyMessage(sessionId: string, number: number, position: number, copied: OwnedMessage): void {
      const { message, turnId } = copied;
      const callId = message.role === 'tool' ? message.callId : null;
      sql.copy.run(sessionId, number, position, message.role, callId, JSON.stringify(message), turnId);
    },
    readGeneration: (sessionId: string, number: number): OwnedMessage[] =>
      readRows(sessionId, sql.ofGeneration.all(sessionId, number)),
    /** Whether any context of the session, also one from before a summary, held an attached file or a result of another tool than these. */
    hasForeignText: (sessionId: string, hostWords: ReadonlySet<string>): boolean =>
      sql.foreign.get(sessionId, JSON.stringify([...hostWords]), interruptedResult) !== undefined,
    /** Role of the newest message; null = empty. */
    lastRole: (sessionId: string): StoredMessage['role'] | null => sql.newest.get(sessionId)?.role ?? null,
    /** These words stand before the placeholder of that call; nothing happens where it has its result. */
    writePlaceholder: (sessionId: string, callId: string, words: string): void =>
      void sql.preface.run(sessionId, callId, words),
    /** From now on the placeholders are the results: nobody is left to bring others. */
    settlePlaceholders: (sessionId: string): void => void sql.settle.run(sessionId),
  };
}

/** Roles and calls of a turn's messages: a turn whose beginning was summarised no longer begins like itself. */
function shapeOf(rows: readonly ContextRow[], turnId: string): string {
  return rows
    .filter((row) => row.turn_id === turnId)
    .map(({ role, call_id }) => `${role} ${call_id ?? ''}\n`)
    .join('');
}

/** For a damaged row: roles, calls and results still match, so that the model's history stays valid. */
function standIn(row: ContextRow, following: ContextRow[]): StoredMessage {
  const content = '(this message could not be read)';
  switch (row.role) {
    case 'user':
      return { role: 'user', content };
    case 'tool':
      return { role: 'tool', callId: row.call_id, tool: 'unknown', content };
    case 'assistant': {
      const calls = [];
      for (const next of following) {
        if (next.role !== 'tool') break;
        calls.push({ id: next.call_id, name: 'unknown', args: {} });
      }
      return { role: 'assistant', content: calls.length === 0 ? content : '', thinking: '', calls };
    }
  }
}
