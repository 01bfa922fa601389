/** Commands that are always allowed in a folder, in the turns of one person. */
import { z } from 'zod';
import { commandRuleSchema, type CommandRule } from '../../protocol/model.ts';
import type { StoredCommandRule } from '../../protocol/person-methods.ts';
import { ownerId } from '../../protocol/principal.ts';
import { parseJson } from '../../protocol/json.ts';
import { lazyObject } from '../../protocol/lazy-object.ts';
import type { Database } from './sqlite.ts';

/** In whose turns a rule holds, and where. */
export interface RulePlace {
  userId: string;
  /** Its real path. */
  workspace: string;
}

export type CommandRuleStore = ReturnType<typeof createCommandRuleStore>;

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);
const row = lazyObject(() => ({
  id: z.string(),
  person: z.string().nullable(),
  workspace: z.string(),
  words: z.string().transform((words) => commandRuleSchema.shape.words.parse(parseJson(words))),
  isExact: flag,
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  used: z.number(),
}));
/** SQL: how the person of a rule is called; NULL = the owner. */
export const personOfRule = `CASE WHEN user_id = '${ownerId}' THEN NULL ELSE coalesce(
  (SELECT nullif(u.name, '') FROM users u WHERE u.id = user_id), user_id) END AS person`;
const columns = `id, ${personOfRule}, workspace, words, is_exact AS isExact,
  created_at AS createdAt, last_used_at AS lastUsedAt, used`;

export function createCommandRuleStore(database: Database) {
  const insert = database.command<[string, string, string, string, number, number]>(
    `INSERT OR IGNORE INTO command_rules (id, user_id, workspace, words, is_exact, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  const ofFolder = database.query<[string, string], StoredCommandRule>(
    `SELECT ${columns} FROM command_rules WHERE user_id = ? AND workspace = ? ORDER BY created_at, id`,
    row,
  );
  const all = database.query<[], StoredCommandRule>(
    `SELECT ${columns} FROM command_rules ORDER BY workspace, created_at, id`,
    row,
  );
  const use = database.command<[number, string]>(
    'UPDATE command_rules SET last_used_at = ?, used = used + 1 WHERE id = ?',
  );
  const remove = database.command<[string]>('DELETE FROM command_rules WHERE id = ?');
  return {
    /** Nothing changes where that person has it in the folder already. */
    addCommandRule(id: string, { userId, workspace }: RulePlace, rule: CommandRule, at: number): void {
      insert.run(id, userId, workspace, JSON.stringify(rule.words), rule.isExact ? 1 : 0, at);
    },
    commandRulesOf: ({ userId, workspace }: RulePlace): StoredCommandRule[] =>
      ofFolder.all(userId, workspace),
    /** Of all people and folders. */
    commandRules: (): StoredCommandRule[] => all.all(),
    noteCommandRuleUse: (id: string, at: number): void => void use.run(at, id),
    /** False = there was none. */
    removeCommandRule: (id: string): boolean => remove.run(id) > 0,
  };
}
