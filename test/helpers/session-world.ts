/** A house whose model does what the message says, and a look at what it stores of each session. */
import { join } from 'node:path';
import { z } from 'zod';
import { contextMessageSchema, type StoredMessage } from '../../src/host/store/context.ts';
import { openDatabase } from '../../src/host/store/sqlite.ts';
import { reply, rule, script } from '../../src/sim/index.ts';
import { World, type WorldOptions } from './host-world.ts';
import { numbered } from './long-text.ts';
import { contextProblems } from './session-checks.ts';

/** Long enough that a summary of it is shorter. */
const answer = numbered('This is what I found out about it, in many words. ', 20);

/** `read` reads a file first, `hang` never ends, `refuse` fails, `forever` calls tools until the limit; else an answer. */
export const speaking = script([
  rule({ user: 'Write a summary of this conversation' }, reply().text('Goal: go on.')),
  rule({ user: /\bhang\b/ }, reply().text('One moment').hang()),
  rule({ user: /\brefuse\b/ }, reply().error(400, 'No.')),
  rule({ user: /\bforever\b/ }, ({ results }) =>
    reply()
      .text(`Step ${String(results.length)}`)
      .toolCall('read_file', { path: 'notes.txt', first_line: results.length + 1 }),
  ),
  rule({ user: /\bread\b/, resultCount: 0 }, reply().toolCall('read_file', { path: 'notes.txt' })),
  rule({}, ({ lastUser }) => reply().text(`${answer}${/#\d+/.exec(lastUser)?.[0] ?? ''}`)),
]);

export function speakingWorld(options: WorldOptions = {}): Promise<World> {
  return World.start({
    files: { 'notes.txt': 'milk\n' },
    ...options,
    sim: { script: speaking, ...options.sim },
  });
}

/** A house with its data. */
interface Stored {
  dir: string;
}

const sessionRow = z.object({ id: z.string() });
const contextRow = z.object({ body: z.string() });

export interface StoredLog {
  sessionId: string;
  messages: StoredMessage[];
}

/** The generation in force of each session, as it lies there. */
export function storedLogs(house: Stored): StoredLog[] {
  const database = openDatabase(join(house.dir, 'data', 'andiron.db'));
  try {
    const sessions = database.query<[], { id: string }>(
      'SELECT id FROM sessions ORDER BY created_at',
      sessionRow,
    );
    const context = database.query<[string], { body: string }>(
      `SELECT body FROM context WHERE session_id = ?1
         AND generation = (SELECT generation FROM sessions WHERE id = ?1) ORDER BY position`,
      contextRow,
    );
    return sessions.all().map(({ id }) => ({
      sessionId: id,
      messages: context.all(id).map(({ body }) => contextMessageSchema.parse(JSON.parse(body))),
    }));
  } finally {
    database.close();
  }
}

export function storedLog(house: Stored, sessionId: string): StoredMessage[] {
  return storedLogs(house).find((log) => log.sessionId === sessionId)?.messages ?? [];
}

/** Every row of every session, for a comparison. */
export function everythingStored({ dir }: Stored): unknown[] {
  const database = openDatabase(join(dir, 'data', 'andiron.db'));
  try {
    return ['sessions', 'turns', 'items', 'context', 'session_data'].map((table) =>
      database.query<[], unknown>(`SELECT * FROM ${table} ORDER BY 1, 2, 3`, z.unknown()).all(),
    );
  } finally {
    database.close();
  }
}

/** X12 a of every session, while nothing runs: throws what is wrong. */
export function assertValidLogs(house: Stored): void {
  const problems = logProblems(house);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

function logProblems(house: Stored): string[] {
  return storedLogs(house).flatMap(({ sessionId, messages }) =>
    contextProblems(messages, true).map((problem) => `${sessionId}: ${problem}`),
  );
}

/** The numbers of the messages that the model still reads, in order. */
export function numbersRead(messages: readonly StoredMessage[]): string[] {
  return messages.flatMap((message) =>
    message.role === 'user' ? [...message.content.matchAll(/#(\d+)/g)].map(([, number = '']) => number) : [],
  );
}
