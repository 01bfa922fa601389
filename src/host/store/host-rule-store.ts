/** Hosts that commands may reach without a question. */
import { z } from 'zod';
import type { StoredHostRule } from '../../protocol/person-methods.ts';
import type { Database } from './sqlite.ts';

export type HostRuleStore = ReturnType<typeof createHostRuleStore>;

const row = z.object({
  id: z.string(),
  workspace: z.string(),
  sessionId: z.string().nullable(),
  host: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  used: z.number(),
});
const columns = `id, workspace, session_id AS sessionId, host, created_at AS createdAt,
  last_used_at AS lastUsedAt, used`;

export function createHostRuleStore(database: Database) {
  const insert = database.command<[string, string, string | null, string, number]>(
    'INSERT OR IGNORE INTO host_rules (id, workspace, session_id, host, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const holding = database.query<[string, string], StoredHostRule>(
    `SELECT ${columns} FROM host_rules
     WHERE workspace = ? AND (session_id IS NULL OR session_id = ?) ORDER BY created_at, id`,
    row,
  );
  const all = database.query<[], StoredHostRule>(
    `SELECT ${columns} FROM host_rules ORDER BY workspace, created_at, id`,
    row,
  );
  const use = database.command<[number, string]>(
    'UPDATE host_rules SET last_used_at = ?, used = used + 1 WHERE id = ?',
  );
  const remove = database.command<[string]>('DELETE FROM host_rules WHERE id = ?');
  return {
    /** Nothing changes where there is such a rule already. */
    addHostRule(
      id: string,
      { workspace, sessionId, host }: Pick<StoredHostRule, 'workspace' | 'sessionId' | 'host'>,
      at: number,
    ): void {
      insert.run(id, workspace, sessionId, host, at);
    },
    /** Those of the folder, and of this session in it. @param workspace its real path */
    hostRulesOf: (workspace: string, sessionId: string): StoredHostRule[] =>
      holding.all(workspace, sessionId),
    /** Of all folders. */
    hostRules: (): StoredHostRule[] => all.all(),
    noteHostRuleUse: (id: string, at: number): void => void use.run(at, id),
    /** False = there was none. */
    removeHostRule: (id: string): boolean => remove.run(id) > 0,
  };
}
