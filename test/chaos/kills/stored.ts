/** What stands in the files of a data folder, read beside the living host and let go of at once. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { z } from 'zod';
import { contextMessageSchema, type StoredMessage } from '../../../src/host/store/context.ts';
import { effectsFile } from './work.ts';

const contextRows = z.array(z.object({ session_id: z.string(), body: z.string() }));
const callRows = z.array(z.object({ call_id: z.string(), args: z.string() }));

export interface Stored {
  /** Session → the log of the model. */
  contexts: Map<string, StoredMessage[]>;
  /** Arguments of every call that was begun, as the journal has them. */
  begun: string[];
}

/** No connection of ours may outlive this: the next host must find the files as the dead one left them. */
export function readStored(dataDir: string): Stored {
  const database = new Sqlite(join(dataDir, 'andiron.db'), { readonly: true, fileMustExist: true });
  try {
    const rows = contextRows.parse(
      database
        .prepare('SELECT session_id, body FROM context ORDER BY session_id, generation, position')
        .all(),
    );
    const calls = callRows.parse(database.prepare('SELECT call_id, args FROM tool_calls').all());
    const contexts = new Map<string, StoredMessage[]>();
    for (const { session_id: id, body } of rows) {
      contexts.set(id, [...(contexts.get(id) ?? []), contextMessageSchema.parse(JSON.parse(body))]);
    }
    return { contexts, begun: calls.map(({ args }) => args) };
  } finally {
    database.close();
  }
}

/** After the last host has ended. */
export function integrityProblems(dataDir: string): string[] {
  const database = new Sqlite(join(dataDir, 'andiron.db'), { readonly: true, fileMustExist: true });
  try {
    const found: unknown = database.pragma('integrity_check', { simple: true });
    return found === 'ok' ? [] : [`the database: ${String(found)}`];
  } finally {
    database.close();
  }
}

/** Token → how often its effect is there: a line of the common file, or a file of its own. */
export function readEffects(workspace: string): Map<string, number> {
  const log = join(workspace, effectsFile);
  const lines = existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : [];
  const files = readdirSync(workspace).flatMap((name) => /^(job-.*)\.txt$/.exec(name)?.[1] ?? []);
  const effects = new Map<string, number>();
  for (const token of [...lines, ...files]) effects.set(token, (effects.get(token) ?? 0) + 1);
  return effects;
}

const openedLine = z.object({
  message: z.literal('The store is open'),
  journal: z.string(),
  synchronous: z.number(),
});

/** What the live connections of all hosts so far said of themselves: how many there were, and how many do not wait for the disk. */
export function storeOpenings(dataDir: string): { opened: number; notFull: number } {
  const lines = readFileSync(join(dataDir, 'logs', 'host.log'), 'utf8')
    .split('\n')
    .filter(Boolean);
  const openings = lines.flatMap((line) => openedLine.safeParse(JSON.parse(line)).data ?? []);
  const full = openings.filter(({ journal, synchronous }) => journal === 'wal' && synchronous === 2);
  return { opened: openings.length, notFull: openings.length - full.length };
}
