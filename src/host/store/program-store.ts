/** What a program may see: the conversations that were begun with its token, and what is in them. */
import { z } from 'zod';
import { sessionStatusSchema } from '../../protocol/model.ts';
import type { ProgramSession } from '../../protocol/program-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { Database } from './sqlite.ts';

export type ProgramStore = ReturnType<typeof createProgramStore>;

const maxFound = 20;

const sessionRow = z.object({
  id: z.string(),
  title: z.string(),
  profileId: z.string(),
  model: z.string().nullable(),
  status: sessionStatusSchema.catch('idle'),
  thread: z.string(),
  createdAt: z.number(),
  updatedAt: z.number(),
}) satisfies z.ZodType<ProgramSession>;
const idRow = z.object({ id: z.string() });
const turnRow = lazyObject(() => ({
  sessionId: z.string(),
  profileId: z.string(),
  isNewest: z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1),
}));
type FoundTurn = z.infer<typeof turnRow>;

/** Of the token `?1`. */
const own = "s.platform = 'api' AND s.channel = ?1 AND s.deleted_at IS NULL";
const columns = `s.id, s.title, s.profile_id AS profileId, s.model, s.status, s.thread, s.created_at AS createdAt,
  s.updated_at AS updatedAt`;
const newestOf = 'SELECT max(position) FROM turns WHERE session_id = s.id';

export function createProgramStore(database: Database) {
  const page = database.query<[string, string | null, number], ProgramSession>(
    `SELECT ${columns} FROM sessions s
     WHERE ${own} AND (?2 IS NULL OR (s.updated_at, s.id) < (SELECT updated_at, id FROM sessions WHERE id = ?2))
     ORDER BY s.updated_at DESC, s.id DESC LIMIT ?3`,
    sessionRow,
  );
  const one = database.query<[string, string], ProgramSession>(
    `SELECT ${columns} FROM sessions s WHERE ${own} AND s.id = ?2`,
    sessionRow,
  );
  const ending = database.query<[string, string, string], { id: string }>(
    `SELECT s.id FROM sessions s JOIN turns t ON t.session_id = s.id AND t.position = (${newestOf})
     WHERE ${own} AND s.profile_id = ?2 AND s.status IN ('idle', 'failed')
       AND json_extract(t.body, '$.text') IN (SELECT value FROM json_each(?3))
     ORDER BY s.updated_at DESC, s.id DESC LIMIT ${String(maxFound)}`,
    idRow,
  );
  const turn = database.query<[string, string], FoundTurn>(
    `SELECT s.id AS sessionId, s.profile_id AS profileId, t.position = (${newestOf}) AS isNewest
     FROM turns t JOIN sessions s ON s.id = t.session_id WHERE ${own} AND t.id = ?2`,
    turnRow,
  );
  const file = database.query<[string, string], { id: string }>(
    `SELECT s.id FROM result_files f JOIN sessions s ON s.id = f.session_id WHERE ${own} AND f.id = ?2`,
    idRow,
  );
  return {
    /** The latest first, those behind the session `after`. */
    programSessions: (tokenId: string, limit: number, after: string | undefined): ProgramSession[] =>
      page.all(tokenId, after ?? null, limit),
    programSession: (tokenId: string, sessionId: string): ProgramSession | null =>
      one.get(tokenId, sessionId) ?? null,
    /** Sessions in which nothing runs and whose newest message is one of these texts. */
    programSessionsEnding: (tokenId: string, profileId: string, texts: readonly string[]): string[] =>
      ending.all(tokenId, profileId, JSON.stringify(texts)).map(({ id }) => id),
    programTurn: (tokenId: string, turnId: string): FoundTurn | null => turn.get(tokenId, turnId) ?? null,
    /** The session of a file that tools brought out. */
    programFile: (tokenId: string, fileId: string): string | null => file.get(tokenId, fileId)?.id ?? null,
  };
}
