/** Which collections there are, and whose. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { Database } from './sqlite.ts';

export interface KeptCollection {
  id: string;
  userId: string;
  name: string;
  /** Whole path; null = the files. */
  folder: string | null;
  /** Whole paths. */
  files: string[];
}

export type CollectionStore = ReturnType<typeof createCollectionStore>;

const row = z
  .object({
    id: z.string(),
    userId: z.string(),
    name: z.string(),
    folder: z.string().nullable(),
    files: z.string(),
  })
  .transform((kept) => ({ ...kept, files: z.array(z.string()).catch([]).parse(parseJson(kept.files)) }));

const columns = 'id, user_id AS userId, name, folder, files';

export function createCollectionStore(database: Database) {
  const all = database.query<[], KeptCollection>(
    `SELECT ${columns} FROM collections ORDER BY created_at, id`,
    row,
  );
  const add = database.command<[string, string, string, string | null, string, number]>(
    'INSERT INTO collections (id, user_id, name, folder, files, created_at) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const rename = database.command<[string, string]>('UPDATE collections SET name = ?2 WHERE id = ?1');
  const remove = database.command<[string]>('DELETE FROM collections WHERE id = ?');
  return {
    /** The oldest first. */
    collections: (): KeptCollection[] => all.all(),
    addCollection: ({ id, userId, name, folder, files }: KeptCollection, at: number): void =>
      void add.run(id, userId, name, folder, JSON.stringify(files), at),
    renameCollection: (id: string, name: string): void => void rename.run(id, name),
    removeCollection: (id: string): void => void remove.run(id),
  };
}
