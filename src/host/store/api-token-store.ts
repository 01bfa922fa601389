/** Tokens of programs. Their texts are not in here. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import { levels, type Level } from '../../protocol/principal.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { Database } from './sqlite.ts';

export interface ApiToken {
  id: string;
  /** For whom its program speaks. */
  userId: string;
  name: string;
  /** SHA-256 of its text, in hexadecimal digits. */
  hash: string;
  level: Level;
  /** Whose tools may be used; null = those of all. */
  modules: readonly string[] | null;
  createdAt: number;
  /** Unix milliseconds; null = never. */
  lastUsedAt: number | null;
  /** Unix milliseconds; null = it is not. */
  revokedAt: number | null;
}

export type ApiTokenStore = ReturnType<typeof createApiTokenStore>;

const modulesSchema = z.array(z.string());

/** A list that cannot be read allows nothing. */
function readModules(text: string | null): string[] | null {
  if (text === null) return null;
  try {
    return modulesSchema.safeParse(parseJson(text)).data ?? [];
  } catch {
    return [];
  }
}

const tokenRow = lazyObject(() => ({
  id: z.string(),
  userId: z.string(),
  name: z.string(),
  hash: z.string(),
  level: z.enum(levels),
  modules: z.string().nullable().transform(readModules),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  revokedAt: z.number().nullable(),
}));

const columns = `id, user_id AS userId, name, hash, level, modules, created_at AS createdAt,
  last_used_at AS lastUsedAt, revoked_at AS revokedAt`;

export function createApiTokenStore(database: Database) {
  const one = database.query<[string], ApiToken>(`SELECT ${columns} FROM api_tokens WHERE id = ?`, tokenRow);
  const all = database.query<[], ApiToken>(
    `SELECT ${columns} FROM api_tokens ORDER BY created_at, rowid`,
    tokenRow,
  );
  const insert = database.command<[string, string, string, string, string, string | null, number]>(
    `INSERT INTO api_tokens (id, user_id, name, hash, level, modules, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const used = database.command<[number, string]>('UPDATE api_tokens SET last_used_at = ? WHERE id = ?');
  const revoke = database.command<[number, string]>(
    'UPDATE api_tokens SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL',
  );
  return {
    /** Also one that was revoked; null = there was none. */
    apiToken: (id: string): ApiToken | null => one.get(id) ?? null,
    /** In the order in which they were made, revoked ones included. */
    listApiTokens: (): ApiToken[] => all.all(),
    addApiToken({ id, userId, name, hash, level, modules, createdAt }: ApiToken): void {
      const listed = modules === null ? null : JSON.stringify(modules);
      insert.run(id, userId, name, hash, level, listed, createdAt);
    },
    apiTokenUsed: (id: string, now: number): void => void used.run(now, id),
    /** False = there is none that still works. */
    revokeApiToken: (id: string, now: number): boolean => revoke.run(now, id) > 0,
  };
}
