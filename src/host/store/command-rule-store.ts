/** Commands that the person always allows in a folder. */
import { z } from 'zod';
import { commandRuleSchema, type CommandRule } from '../../protocol/model.ts';
import type { StoredCommandRule } from '../../protocol/person-methods.ts';
import { parseJson } from '../../protocol/json.ts';
import type { Database } from './sqlite.ts';

export type CommandRuleStore = ReturnType<typeof createCommandRuleStore>;

const flag = z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1);
const row = z.object({
  id: z.string(),
  workspace: z.string(),
  words: z.string().transform((words) => commandRuleSchema.shape.words.parse(parseJson(words))),
  isExact: flag,
  createdAt: z.number(),
  lastUsedAt: z.number().nullable(),
  used: z.number(),
});
const columns =
  'id, workspace, words, is_exact AS isExact, created_at AS createdAt, last_used_at AS lastUsedAt, used';

export function createCommandRuleStore(database: Database) {
  const insert = database.command<[string, string, string, number, number]>(
    'INSERT OR IGNORE INTO command_rules (id, workspace, words, is_exact, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  const ofFolder = database.query<[string], StoredCommandRule>(
    `SELECT ${columns} FROM command_rules WHERE workspace = ? ORDER BY created_at, id`,
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
    /** Nothing changes where the folder has it already. */
    addCommandRule(id: string, workspace: string, { words, isExact }: CommandRule, at: number): void {
      insert.run(id, workspace, JSON.stringify(words), isExact ? 1 : 0, at);
    },
    /** @param workspace its real path */
    commandRulesOf: (workspace: string): StoredCommandRule[] => ofFolder.all(workspace),
    /** Of all folders. */
    commandRules: (): StoredCommandRule[] => all.all(),
    noteCommandRuleUse: (id: string, at: number): void => void use.run(at, id),
    /** False = there was none. */
    removeCommandRule: (id: string): boolean => remove.run(id) > 0,
  };
}
