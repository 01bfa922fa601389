/** Files that tools brought out, by their ids. Written with the turn that lists them (`transcript.ts`). */
import { resultFileSchema, type ResultFile } from '../../protocol/result-files.ts';
import type { Database } from './sqlite.ts';

export type ResultFileStore = Pick<ReturnType<typeof createResultFileStore>, 'resultFile'>;

export function createResultFileStore(database: Database) {
  const upsert = database.command<(string | number | null)[]>(
    `INSERT INTO result_files (session_id, id, turn_id, item_id, tool, name, path, url, bytes, mime, at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET item_id = excluded.item_id, tool = excluded.tool, name = excluded.name,
       url = excluded.url, bytes = excluded.bytes, mime = excluded.mime, at = excluded.at`,
  );
  const one = database.query<[string, string], ResultFile>(
    `SELECT id, turn_id AS turnId, item_id AS itemId, tool, name, path, url, bytes, mime, at
     FROM result_files WHERE session_id = ? AND id = ?`,
    resultFileSchema,
  );
  return {
    saveFiles(sessionId: string, files: readonly ResultFile[]): void {
      for (const { id, turnId, itemId, tool, name, path, url, bytes, mime, at } of files)
        upsert.run(sessionId, id, turnId, itemId, tool, name, path, url, bytes, mime, at);
    },
    /** null = the session has none of this id. */
    resultFile: (sessionId: string, fileId: string): ResultFile | null => one.get(sessionId, fileId) ?? null,
  };
}
