/** Hosts that commands may reach without a question, in the turns of one person. */
import { z } from 'zod';
import type { StoredHostRule } from '../../protocol/person-methods.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import { personOfRule, type RulePlace } from './command-rule-store.ts';
import type { Database } from './sqlite.ts';

export type HostRuleStore = ReturnType<typeof createHostRuleStore>;

const row = lazyObject(() => ({
  id: z.string(),
  person: z.string().nullable(),
  workspace: z.string(),
  sessionId: z.string().nullable(),
  host: z.string(),
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  used: z.number(),
}));
const columns = `id, ${personOfRule}, workspace, session_id AS sessionId, host, created_at AS createdAt,
  last_used_at AS lastUsedAt, used`;

export function createHostRuleStore(database: Database) {
  const insert = database.command<[string, string, string, string | null, string, number]>(
    `INSERT OR IGNORE INTO host_rules (id, user_id, workspace, session_id, host, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const holding = database.query<[string, string, string], StoredHostRule>(
    `SELECT ${columns} FROM host_rules
     WHERE user_id = ? AND workspace = ? AND (session_id IS NULL OR session_id = ?) ORDER BY created_at, id`,
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
      { userId, workspace }: RulePlace,
      { sessionId, host }: Pick<StoredHostRule, 'sessionId' | 'host'>,
      at: number,
    ): void {
      insert.run(id, userId, workspace, sessionId, host, at);
    },
    /** Those of the folder, and of this session in it. */
    hostRulesOf: ({ userId, workspace }: RulePlace, sessionId: string): StoredHostRule[] =>
      holding.all(userId, workspace, sessionId),
    /** Of all people and folders. */
    hostRules: (): StoredHostRule[] => all.all(),
    noteHostRuleUse: (id: string, at: number): void => void use.run(at, id),
    /** False = there was none. */
    removeHostRule: (id: string): boolean => remove.run(id) > 0,
  };
}
