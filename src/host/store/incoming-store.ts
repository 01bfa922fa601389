/** Messages that bridges handed in, and what became of each. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import {
  agentResponseSchema,
  incomingMessageSchema,
  type AgentResponse,
  type IncomingMessage,
} from '../../protocol/inbox-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { Database } from './sqlite.ts';

export interface StoredMessage {
  id: string;
  messageId: string;
  message: IncomingMessage;
  /** Where it is answered; null = there was no attempt yet. */
  sessionId: string | null;
  /** Of the newest attempt. It is written before the turn, which may therefore not exist. */
  turnId: string | null;
  attempts: number;
  response: AgentResponse | null;
  begunPieces: number;
  sentPieces: number;
  /** Unix milliseconds; null = not yet. */
  deliveredAt: number | null;
}

export type IncomingStore = ReturnType<typeof createIncomingStore>;

const incomingRow = lazyObject(() => ({
  id: z.string(),
  messageId: z.string(),
  message: z.string().transform((text) => incomingMessageSchema.parse(parseJson(text))),
  sessionId: z.string().nullable(),
  turnId: z.string().nullable(),
  attempts: z.number(),
  response: z
    .string()
    .nullable()
    .transform((text) => (text === null ? null : agentResponseSchema.parse(parseJson(text)))),
  begunPieces: z.number(),
  sentPieces: z.number(),
  deliveredAt: z.number().nullable(),
}));

const columns = `id, message_id AS messageId, message, session_id AS sessionId, turn_id AS turnId, attempts, response,
  begun_pieces AS begunPieces, sent_pieces AS sentPieces, delivered_at AS deliveredAt`;

export function createIncomingStore(database: Database) {
  const one = database.query<[string], StoredMessage>(
    `SELECT ${columns} FROM incoming_messages WHERE id = ?`,
    incomingRow,
  );
  const known = database.query<[string, string, string, string], StoredMessage>(
    `SELECT ${columns} FROM incoming_messages
     WHERE platform = ? AND server = ? AND channel = ? AND message_id = ?`,
    incomingRow,
  );
  const waiting = database.query<[string], StoredMessage>(
    `SELECT ${columns} FROM incoming_messages WHERE platform = ? AND delivered_at IS NULL ORDER BY rowid`,
    incomingRow,
  );
  const insert = database.command<[string, string, string, string, string, string, string, number]>(
    `INSERT INTO incoming_messages (id, platform, server, channel, thread, message_id, message, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (platform, server, channel, message_id) DO NOTHING`,
  );
  const attempt = database.command<[string, string, string]>(
    'UPDATE incoming_messages SET session_id = ?, turn_id = ?, attempts = attempts + 1 WHERE id = ?',
  );
  const respond = database.command<[string, string]>(
    'UPDATE incoming_messages SET response = ? WHERE id = ?',
  );
  const begin = database.command<[number, string]>(
    'UPDATE incoming_messages SET begun_pieces = max(begun_pieces, ?) WHERE id = ?',
  );
  const sent = database.command<[number, string]>(
    `UPDATE incoming_messages SET begun_pieces = max(begun_pieces, ?1), sent_pieces = max(sent_pieces, ?1)
     WHERE id = ?2`,
  );
  const deliver = database.command<[number, string]>(
    'UPDATE incoming_messages SET delivered_at = ? WHERE id = ? AND delivered_at IS NULL',
  );
  const purge = database.command<[number]>('DELETE FROM incoming_messages WHERE delivered_at < ?');
  return {
    incoming: (id: string): StoredMessage | null => one.get(id) ?? null,
    /** Stored under `id` unless the same message was stored before. Returns the id under which it is known. */
    addIncoming(id: string, messageId: string, message: IncomingMessage, now: number): string {
      const { platform, server, channel, thread } = message;
      insert.run(id, platform, server, channel, thread, messageId, JSON.stringify(message), now);
      return known.get(platform, server, channel, messageId)?.id ?? id;
    },
    /** In the order in which they came. */
    undeliveredMessages: (platform: string): StoredMessage[] => waiting.all(platform),
    incomingAttempt: (id: string, sessionId: string, turnId: string): void =>
      void attempt.run(sessionId, turnId, id),
    incomingAnswered: (id: string, response: AgentResponse): void =>
      void respond.run(JSON.stringify(response), id),
    incomingPiece: (id: string, pieces: number, state: 'begun' | 'sent'): void =>
      void (state === 'begun' ? begin : sent).run(pieces, id),
    incomingDelivered: (id: string, now: number): void => void deliver.run(now, id),
    /** Those that were delivered before `time` can be answered again. */
    forgetDelivered: (time: number): void => void purge.run(time),
  };
}
