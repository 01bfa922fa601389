/** Evidence of what each model can do, by the digest of its bytes. */
import { z } from 'zod';
import { abilities, type Ability } from '../../protocol/abilities.ts';
import type { Evidence } from '../../rules/ability-scores.ts';
import type { Log } from '../../platform/log.ts';
import type { Database } from './sqlite.ts';

export type AbilityStore = ReturnType<typeof createAbilityStore>;

export interface AbilityKey {
  digest: string;
  /** Kind and version of the engine that decides it too; '' = the model alone does. */
  engine: string;
  ability: Ability;
}

const evidenceSchema = z.object({
  good: z.number().nonnegative(),
  bad: z.number().nonnegative(),
  held: z.union([z.literal(0), z.literal(1)]).transform((held) => held === 1),
  at: z.number().int().nonnegative(),
});
const placedSchema = evidenceSchema.extend({ engine: z.string(), ability: z.enum(abilities) });
const anyRow = z.record(z.string(), z.unknown());

export function createAbilityStore(database: Database, log: Log) {
  const readOne = database.query<[string, string, string], z.infer<typeof anyRow>>(
    'SELECT good, bad, held, at FROM model_abilities WHERE digest = ? AND engine = ? AND ability = ?',
    anyRow,
  );
  const readAll = database.query<[string], z.infer<typeof anyRow>>(
    'SELECT engine, ability, good, bad, held, at FROM model_abilities WHERE digest = ? ORDER BY engine, ability',
    anyRow,
  );
  const write = database.command<[string, string, string, number, number, number, number]>(
    `INSERT INTO model_abilities (digest, engine, ability, good, bad, held, at) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (digest, engine, ability)
       DO UPDATE SET good = excluded.good, bad = excluded.bad, held = excluded.held, at = excluded.at`,
  );
  const remove = database.command<[string]>('DELETE FROM model_abilities WHERE digest = ?');
  const removeBelow = ['model_abilities', 'model_facts'].map((table) =>
    database.command<[string, string]>(`DELETE FROM ${table} WHERE substr(digest, 1, length(?)) = ?`),
  );

  /** undefined when it is damaged: reported, never thrown through. */
  const checked = <T>(row: unknown, schema: z.ZodType<T>, digest: string): T | undefined => {
    const read = schema.safeParse(row);
    if (read.success) return read.data;
    log.error('A stored value is damaged', read.error, { table: 'model_abilities', id: digest });
    return undefined;
  };

  return {
    /** null = never observed, or damaged. */
    readEvidence({ digest, engine, ability }: AbilityKey): Evidence | null {
      const row = readOne.get(digest, engine, ability);
      return row === undefined ? null : (checked(row, evidenceSchema, digest) ?? null);
    },
    /** Of every engine that was ever asked. */
    listEvidence: (digest: string): (Evidence & Omit<AbilityKey, 'digest'>)[] =>
      readAll.all(digest).flatMap((row) => checked(row, placedSchema, digest) ?? []),
    writeEvidence({ digest, engine, ability }: AbilityKey, { good, bad, held, at }: Evidence): void {
      write.run(digest, engine, ability, good, bad, held ? 1 : 0, at);
    },
    forgetEvidence: (digest: string): void => void remove.run(digest),
    /** And every other fact, of all models whose digest begins so. */
    forgetModelsBelow(prefix: string): void {
      for (const each of removeBelow) each.run(prefix, prefix);
    },
  };
}
