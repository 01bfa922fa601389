/** Sessions: the rows of the list and what is fixed for each of them. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { ContextUsage, SessionSummary, SessionTokens } from '../../protocol/model.ts';
import {
  approvalModeSchema,
  contextUsageSchema,
  sessionStatusSchema,
  sessionTokensSchema,
} from '../../protocol/model.ts';
import { ownerId, windowPlatform } from '../../protocol/principal.ts';
import type { JsonReader } from './json.ts';
import type { Database } from './sqlite.ts';

const types = ['string', 'integer', 'number', 'boolean', 'array', 'object'] as const;
const propertySchema = lazyObject(() => ({
  type: z.enum(types),
  description: z.string().optional(),
  enum: z.array(z.string()).optional(),
  items: z.object({ type: z.enum(types) }).optional(),
}));
const frozenHeadSchema = lazyObject(() => ({
  /** The profile it was made from: another one in force means another head. */
  profileId: z.string(),
  head: z.object({
    system: z.string(),
    tools: z.array(
      z.object({
        name: z.string(),
        description: z.string(),
        schema: z.object({
          type: z.literal('object'),
          properties: z.record(z.string(), propertySchema),
          required: z.array(z.string()),
        }),
      }),
    ),
  }),
  /** Fixed for the session, because changing it can cost the whole prefix. null = left out. */
  think: z.union([z.boolean(), z.string()]).nullable(),
  /** Which of the tools each model is shown, by its digest. Absent = all of them: an older Andiron showed no less. */
  toolsets: z.record(z.string(), z.enum(['core', 'full'])).optional(),
}));
/** The head as it is sent, byte for byte, so that an update of Andiron does not break a running session. */
export type FrozenHead = z.infer<typeof frozenHeadSchema>;

export interface StoredSession {
  summary: SessionSummary;
  /** The boundary of its tools, fixed when the folder was chosen. */
  workspaceReal: string;
  contextUsage: ContextUsage | null;
}

type SessionChanges = Partial<Omit<SessionSummary, 'id' | 'createdAt'>> &
  Partial<Pick<StoredSession, 'workspaceReal' | 'contextUsage'>>;

export type SessionStore = ReturnType<typeof createSessionStore>;

const sessionRow = lazyObject(() => ({
  id: z.string(),
  title: z.string(),
  workspace: z.string(),
  workspace_real: z.string(),
  profile_id: z.string(),
  model: z.string().nullable(),
  pinned: z.number(),
  status: z.string(),
  context_usage: z.string().nullable(),
  created_at: z.number(),
  updated_at: z.number(),
  imported_from: z.string().nullable(),
  approvals: z.string().nullable(),
  titled_by: z.enum(['model', 'person']).nullable(),
  archived_at: z.number().nullable(),
  forked_from: z.string().nullable(),
  platform: z.string(),
  channel: z.string(),
  thread: z.string(),
  person: z.string().nullable(),
}));
type SessionRow = z.infer<typeof sessionRow>;

/** In SQL, in place of the time at which a session was deleted: it is not all there yet. */
export const unfinished = '-1';
/** What a session is copied into. */
const copiedTables = ['context', 'items', 'turns', 'tool_results'] as const;

const columns = `id, title, workspace, workspace_real, profile_id, model, pinned, status, context_usage,
  created_at, updated_at, imported_from, approvals, titled_by, archived_at`;
/** Where it is talked is set apart: `setPlace` of the place store. */
const readColumns = `${columns}, forked_from, platform, channel, thread,
  CASE WHEN substr(part, 1, 1) IN ('', ' ') OR user_id = '${ownerId}' THEN NULL
    ELSE (SELECT nullif(u.name, '') FROM users u WHERE u.id = user_id) END AS person`;

function statementsOf(database: Database) {
  return {
    insert: database.command<[...SessionValues, forkedFrom: string | null, deletedAt: number | null]>(
      // A copy is whose the original is.
      `INSERT INTO sessions (${columns}, forked_from, deleted_at, user_id)
       VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16,
         ?17, coalesce((SELECT user_id FROM sessions WHERE id = ?16), '${ownerId}'))`,
    ),
    reveal: database.command<[string]>(
      `UPDATE sessions SET deleted_at = NULL WHERE id = ? AND deleted_at = ${unfinished}`,
    ),
    removals: copiedTables.map((table) =>
      database.command<[string, number]>(
        `DELETE FROM ${table} WHERE rowid IN (SELECT rowid FROM ${table} WHERE session_id =
           (SELECT id FROM sessions WHERE id = ? AND deleted_at = ${unfinished}) LIMIT ?)`,
      ),
    ),
    removeOne: database.command<[string]>(`DELETE FROM sessions WHERE id = ? AND deleted_at = ${unfinished}`),
    removeAll: database.command<[]>(`DELETE FROM sessions WHERE deleted_at = ${unfinished}`),
    update: database.command<SessionValues>(
      `UPDATE sessions SET title = ?2, workspace = ?3, workspace_real = ?4, profile_id = ?5, model = ?6, pinned = ?7,
         status = ?8, context_usage = ?9, created_at = ?10, updated_at = ?11, imported_from = ?12,
         approvals = ?13, titled_by = ?14, archived_at = ?15 WHERE id = ?1`,
    ),
    settle: database.command<[]>(
      "UPDATE sessions SET status = 'idle' WHERE status NOT IN ('idle', 'failed')",
    ),
    hide: database.command<[string, number]>(
      `UPDATE sessions SET deleted_at = ?2 WHERE id = ?1 AND deleted_at IS NOT ${unfinished}`,
    ),
    // Where its place has another conversation by now, it comes back beside that one.
    restore: database.command<[string]>(
      `UPDATE sessions SET deleted_at = NULL, part = CASE WHEN EXISTS (
           SELECT 1 FROM sessions o
           WHERE o.deleted_at IS NULL AND o.platform = sessions.platform AND o.server = sessions.server
             AND o.channel = sessions.channel AND o.thread = sessions.thread AND o.part = sessions.part
         ) AND platform <> '${windowPlatform}' THEN part || ' restored ' || id ELSE part END
       WHERE id = ? AND deleted_at <> ${unfinished}`,
    ),
    purge: database.command<[number]>(
      `DELETE FROM sessions WHERE deleted_at < ? AND deleted_at <> ${unfinished}`,
    ),
    one: database.query<[string], SessionRow>(
      `SELECT ${readColumns} FROM sessions WHERE id = ? AND deleted_at IS NULL`,
      sessionRow,
    ),
    all: database.query<[], SessionRow>(
      `SELECT ${readColumns} FROM sessions WHERE deleted_at IS NULL ORDER BY pinned DESC, updated_at DESC, id`,
      sessionRow,
    ),
    writeTokens: database.command<[string, string]>('UPDATE sessions SET tokens = ?2 WHERE id = ?1'),
    readTokens: database.query<[string], { tokens: string | null }>(
      'SELECT tokens FROM sessions WHERE id = ?',
      z.object({ tokens: z.string().nullable() }),
    ),
    places: database.query<[], { id: string; folder: string }>(
      'SELECT id, workspace_real AS folder FROM sessions',
      z.object({ id: z.string(), folder: z.string() }),
    ),
    writeTitleDue: database.command<[string, number]>('UPDATE sessions SET title_due = ?2 WHERE id = ?1'),
    readTitleDue: database.query<[string], { title_due: number | null }>(
      'SELECT title_due FROM sessions WHERE id = ?',
      z.object({ title_due: z.number().nullable() }),
    ),
    writeHead: database.command<[string, string]>('UPDATE sessions SET head = ?2 WHERE id = ?1'),
    readHead: database.query<[string], { head: string | null }>(
      'SELECT head FROM sessions WHERE id = ?',
      z.object({ head: z.string().nullable() }),
    ),
  };
}

export function createSessionStore(database: Database, json: JsonReader) {
  const sql = statementsOf(database);

  function toSession(row: SessionRow): StoredSession {
    const usage = row.context_usage;
    const place = { table: 'sessions.context_usage', id: row.id };
    return {
      summary: toSummary(row),
      workspaceReal: row.workspace_real,
      contextUsage: usage === null ? null : (json.read(usage, contextUsageSchema, place) ?? null),
    };
  }

  function getSession(sessionId: string): StoredSession | null {
    const row = sql.one.get(sessionId);
    return row ? toSession(row) : null;
  }

  return {
    /** `forkedFrom`: the session that it is a copy of. */
    createSession: (session: StoredSession, forkedFrom?: string): void =>
      void sql.insert.run(...toValues(session), forkedFrom ?? null, null),
    /**
     * For a session that is written in several transactions: nothing finds it, restores it or purges it until it is
     * revealed. What a dead host left of one goes with `purgeUnfinished`.
     */
    createUnfinished: (session: StoredSession, forkedFrom?: string): void =>
      void sql.insert.run(...toValues(session), forkedFrom ?? null, Number(unfinished)),
    /** False = no session of this id is being written. */
    revealSession: (sessionId: string): boolean => sql.reveal.run(sessionId) === 1,
    /** In pieces of so many rows of each table; true = all of it is gone. */
    removeUnfinished: (sessionId: string, rows: number): boolean =>
      database.transaction(() => {
        const removed = sql.removals.map((remove) => remove.run(sessionId, rows));
        if (removed.some((count) => count === rows)) return false;
        sql.removeOne.run(sessionId);
        return true;
      }),
    /** On start: what was being written never will be. Returns how many sessions that were. */
    purgeUnfinished: (): number => sql.removeAll.run(),
    /** A session that was deleted stays deleted. */
    updateSession(sessionId: string, { workspaceReal, contextUsage, ...changes }: SessionChanges): void {
      database.transaction(() => {
        const session = getSession(sessionId);
        if (!session) return;
        const next: StoredSession = {
          summary: { ...session.summary, ...changes },
          workspaceReal: workspaceReal ?? session.workspaceReal,
          contextUsage: contextUsage === undefined ? session.contextUsage : contextUsage,
        };
        sql.update.run(...toValues(next));
      });
    },
    /** On start: whatever a dead host was at in its sessions, it no longer is. */
    nobodyWorks: (): void => void sql.settle.run(),
    /** Out of sight: nothing finds it any more, until it is restored or purged. */
    hideSession: (sessionId: string, at: number): void => void sql.hide.run(sessionId, at),
    /** False = it was not hidden, or is gone for good. */
    restoreSession: (sessionId: string): boolean => sql.restore.run(sessionId) === 1,
    /** What was hidden before `before` goes, with everything that belongs to it. Returns how many sessions that were. */
    purgeHidden: (before: number): number => sql.purge.run(before),
    getSession,
    /** All sessions, also deleted ones that can be had back, each with the real path of its folder. */
    sessionPlaces: (): { id: string; folder: string }[] => sql.places.all(),
    /** Pinned ones first, then the latest. */
    listSessions: (): SessionSummary[] => sql.all.all().map(toSummary),
    setTokens: (sessionId: string, tokens: SessionTokens): void =>
      void sql.writeTokens.run(sessionId, JSON.stringify(tokens)),
    /** undefined = no request was answered yet. */
    getTokens(sessionId: string): SessionTokens | undefined {
      const text = sql.readTokens.get(sessionId)?.tokens ?? null;
      const place = { table: 'sessions.tokens', id: sessionId };
      return text === null ? undefined : json.read(text, sessionTokensSchema, place);
    },
    /** With so many answered turns its model is asked what it is called. */
    titleDue: (sessionId: string): number => sql.readTitleDue.get(sessionId)?.title_due ?? 1,
    setTitleDue: (sessionId: string, answered: number): void =>
      void sql.writeTitleDue.run(sessionId, answered),
    setHead: (sessionId: string, head: FrozenHead): void =>
      void sql.writeHead.run(sessionId, JSON.stringify(head)),
    getHead(sessionId: string): FrozenHead | null {
      const text = sql.readHead.get(sessionId)?.head ?? null;
      const place = { table: 'sessions.head', id: sessionId };
      return text === null ? null : (json.readExact(text, frozenHeadSchema, place) ?? null);
    },
  };
}

/** In the order of `columns`. */
type SessionValues = [
  id: string,
  title: string,
  workspace: string,
  workspaceReal: string,
  profileId: string,
  model: string | null,
  pinned: number,
  status: string,
  contextUsage: string | null,
  createdAt: number,
  updatedAt: number,
  importedFrom: string | null,
  approvals: string | null,
  titledBy: string | null,
  archivedAt: number | null,
];

const toValues = ({ summary, workspaceReal, contextUsage }: StoredSession): SessionValues => [
  summary.id,
  summary.title,
  summary.workspace,
  workspaceReal,
  summary.profileId,
  summary.model,
  summary.pinned ? 1 : 0,
  summary.status,
  contextUsage === null ? null : JSON.stringify(contextUsage),
  summary.createdAt,
  summary.updatedAt,
  summary.importedFrom ?? null,
  summary.approvals ?? null,
  summary.titledBy ?? null,
  summary.archivedAt ?? null,
];

const toSummary = (row: SessionRow): SessionSummary => ({
  id: row.id,
  title: row.title,
  workspace: row.workspace,
  profileId: row.profile_id,
  model: row.model,
  pinned: row.pinned === 1,
  status: sessionStatusSchema.catch('idle').parse(row.status),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  ...(row.platform !== windowPlatform && {
    place: {
      platform: row.platform,
      channel: row.channel,
      thread: row.thread,
      ...(row.person !== null && { person: row.person }),
    },
  }),
  ...(row.titled_by !== null && { titledBy: row.titled_by }),
  ...(row.archived_at !== null && { archivedAt: row.archived_at }),
  ...(row.forked_from !== null && { forkedFrom: row.forked_from }),
  ...(row.imported_from !== null && { importedFrom: row.imported_from }),
  ...(row.approvals !== null && {
    approvals: approvalModeSchema.nullable().catch(null).parse(row.approvals),
  }),
});
