/** The record of what tools and commands changed, with what stood there before. */
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { z } from 'zod';
import type { ChangedFile } from '../../protocol/changed-files.ts';
import { foldSteps, toChangedFile, type FileStep } from './file-steps.ts';
import type { Database } from './sqlite.ts';

export interface NewFileStep extends Omit<FileStep, 'id' | 'turnId'> {
  /** Its turn is that of this call; null = a person's step. */
  callId: string | null;
  /** Of a person's step that belongs to a turn all the same. */
  turnId?: string | null;
  at: number;
}

interface OpenFileStep extends FileStep {
  sessionId: string;
}

/** Files of a session that windows are told of: they are sent whole with each change. */
const maxTold = 2_000;

export type FileChangeStore = ReturnType<typeof createFileChangeStore>;

const stepRow = z.object({
  id: z.number(),
  turnId: z.string().nullable(),
  kind: z.enum(['change', 'undo', 'redo']),
  undoes: z.number().nullable(),
  path: z.string(),
  shown: z.string(),
  before: z.string().nullable(),
  after: z.string().nullable(),
  mode: z.number().nullable(),
  afterMode: z.number().nullable(),
  added: z.number(),
  removed: z.number(),
});
const columns = `id, turn_id AS turnId, kind, undoes, path, shown, before_hash AS "before", after_hash AS "after",
  before_mode AS mode, after_mode AS afterMode, added, removed`;

export function createFileChangeStore(database: Database) {
  const steps = database.query<[string], FileStep>(
    `SELECT ${columns} FROM file_changes WHERE session_id = ? ORDER BY id`,
    stepRow,
  );
  const open = database.query<[], OpenFileStep>(
    `SELECT ${columns}, session_id AS sessionId FROM file_changes WHERE is_settled = 0 ORDER BY id`,
    stepRow.extend({ sessionId: z.string() }),
  );
  const insert = database.query<(string | number | null)[], { id: number }>(
    `INSERT INTO file_changes (session_id, turn_id, kind, undoes, path, shown, before_hash, after_hash, before_mode,
       after_mode, added, removed, at, is_settled)
     VALUES (?1, coalesce(?3, (SELECT turn_id FROM tool_calls WHERE session_id = ?1 AND call_id = ?2)),
       ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, 0) RETURNING id`,
    z.object({ id: z.number() }),
  );
  const settle = database.command<[number]>('UPDATE file_changes SET is_settled = 1 WHERE id = ?');
  const drop = database.query<[number], { sessionId: string }>(
    'DELETE FROM file_changes WHERE id = ? RETURNING session_id AS sessionId',
    z.object({ sessionId: z.string() }),
  );
  const writer = database.query<[string, string, string], { title: string }>(
    `SELECT title FROM file_changes JOIN sessions ON sessions.id = session_id
     WHERE path = ? AND after_hash = ? AND session_id <> ? ORDER BY file_changes.id DESC LIMIT 1`,
    z.object({ title: z.string() }),
  );
  const contents = createContentStore(database);
  const addStep = (sessionId: string, step: NewFileStep): number => {
    const { callId, kind, undoes, path, shown, before, after, mode, afterMode, added, removed, at } = step;
    const values = [kind, undoes, path, shown, before, after, mode, afterMode, added, removed, at];
    const row = insert.get(sessionId, callId, step.turnId ?? null, ...values);
    if (!row) throw new Error('SQLite returned no id.');
    return row.id;
  };

  return {
    /** Oldest first. */
    fileSteps: (sessionId: string): FileStep[] => steps.all(sessionId),
    /** In the order of their first change; of very many those that changed last. */
    changedFiles(sessionId: string): ChangedFile[] {
      const files = foldSteps(steps.all(sessionId));
      if (files.length <= maxTold) return files.map(toChangedFile);
      const newest = files.toSorted((a, b) => b.last.id - a.last.id).slice(0, maxTold);
      return newest.toSorted((a, b) => a.first.id - b.first.id).map(toChangedFile);
    },
    /**
     * Before the file is touched, with what stands there (null = no file). Returns its id; it is open until it is settled or
     * dropped.
     */
    beginFileStep: (sessionId: string, step: NewFileStep, before: Uint8Array | null): number =>
      database.transaction(() => {
        if (before !== null && step.before !== null) {
          contents.keep(sessionId, step.before, before);
        }
        return addStep(sessionId, step);
      }),
    /** What a command has done already. */
    addFileSteps: (
      sessionId: string,
      callId: string,
      added: readonly Omit<NewFileStep, 'callId' | 'at'>[],
      at: number,
    ): void =>
      database.transaction(() => {
        for (const step of added) settle.run(addStep(sessionId, { ...step, callId, at }));
      }),
    ...createStepReader(database),
    fileContent: contents.fileContent,
    isContentKept: contents.isContentKept,
    keptContentBytes: contents.keptContentBytes,
    boundContents: contents.boundContents,
    settleFileStep: (id: number): void => void settle.run(id),
    /** It did not happen. */
    dropFileStep: (id: number): void =>
      database.transaction(() => {
        const row = drop.get(id);
        if (row) contents.forgetUnused(row.sessionId);
      }),
    /** What a host that died left open. */
    openFileSteps: (): OpenFileStep[] => open.all(),
    /** Title of another session whose newest step made this of the file. */
    otherWriter: (sessionId: string, path: string, hash: string): string | null =>
      writer.get(path, hash, sessionId)?.title ?? null,
  };
}

/** What is asked of all sessions at once. */
function createStepReader(database: Database) {
  const newest = database.query<[], { value: number }>(
    'SELECT coalesce(max(id), 0) AS value FROM file_changes',
    z.object({ value: z.number() }),
  );
  const later = database.query<[number], FileStep>(
    `SELECT ${columns} FROM file_changes WHERE id > ? ORDER BY id`,
    stepRow,
  );
  const needed = database.query<[], { hash: string }>(
    'SELECT DISTINCT before_hash AS hash FROM file_changes WHERE before_hash IS NOT NULL',
    z.object({ hash: z.string() }),
  );
  return {
    /** Of any session; 0 = there is none. */
    lastFileStep: (): number => newest.get()?.value ?? 0,
    /** Steps of all sessions after that one: of each path the newest. */
    newestFileSteps: (after: number): ReadonlyMap<string, FileStep> =>
      new Map(later.all(after).map((step) => [step.path, step])),
    /** Contents that some way back needs. */
    neededContents: (): ReadonlySet<string> => new Set(needed.all().map(({ hash }) => hash)),
  };
}

/** What stood there before changes. */
function createContentStore(database: Database) {
  const keep = database.command<[string, string, Uint8Array]>(
    'INSERT INTO file_contents (session_id, hash, body) VALUES (?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const forgetUnused = database.command<[string]>(
    `DELETE FROM file_contents WHERE session_id = ?1
       AND hash NOT IN (SELECT before_hash FROM file_changes WHERE session_id = ?1 AND before_hash IS NOT NULL)`,
  );
  const makeRoom = database.command<[string, number]>(
    `DELETE FROM file_contents WHERE session_id = ?1 AND hash IN (
       SELECT hash FROM (
         SELECT hash, sum(octet_length(body)) OVER (ORDER BY newest DESC) AS bytes
         FROM file_contents JOIN (
           SELECT before_hash, max(id) AS newest FROM file_changes WHERE session_id = ?1 GROUP BY before_hash
         ) ON before_hash = hash
         WHERE session_id = ?1
       ) WHERE bytes > ?2)`,
  );
  const content = database.query<[string, string], { body: Uint8Array }>(
    'SELECT body FROM file_contents WHERE session_id = ? AND hash = ?',
    z.object({ body: z.instanceof(Uint8Array) }),
  );
  const number = z.object({ value: z.number() });
  const isKept = database.query<[string, string], { value: number }>(
    'SELECT count(*) AS value FROM file_contents WHERE session_id = ? AND hash = ?',
    number,
  );
  const kept = database.query<[string], { value: number }>(
    'SELECT coalesce(sum(octet_length(body)), 0) AS value FROM file_contents WHERE session_id = ?',
    number,
  );
  const keptContentBytes = (sessionId: string): number => kept.get(sessionId)?.value ?? 0;
  return {
    keep: (sessionId: string, hash: string, bytes: Uint8Array): void =>
      void keep.run(sessionId, hash, deflateRawSync(bytes)),
    /** Contents that no step needs. */
    forgetUnused: (sessionId: string): void => void forgetUnused.run(sessionId),
    /** null = it was not kept. */
    fileContent: (sessionId: string, hash: string): Uint8Array | null => {
      const row = content.get(sessionId, hash);
      return row ? inflateRawSync(row.body) : null;
    },
    isContentKept: (sessionId: string, hash: string): boolean =>
      (isKept.get(sessionId, hash)?.value ?? 0) > 0,
    /** Bytes as they are kept. */
    keptContentBytes,
    /** Keeps no more than that many bytes of a session: what only its oldest steps need goes. */
    boundContents: (sessionId: string, bytes: number): void => {
      if (keptContentBytes(sessionId) > bytes) makeRoom.run(sessionId, bytes);
    },
  };
}
