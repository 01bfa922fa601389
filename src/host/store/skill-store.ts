/** Folders that the person trusts, and skills as they allowed them or turned them off. */
import { z } from 'zod';
import type { Database } from './sqlite.ts';

export interface DecidedSkill {
  /** Real path of its folder. */
  path: string;
  hash: string;
  isOn: boolean;
}

export type SkillStore = ReturnType<typeof createSkillStore>;

const skillRow = z
  .object({ path: z.string(), hash: z.string(), isOn: z.number() })
  .transform((row) => ({ ...row, isOn: row.isOn === 1 }));

export function createSkillStore(database: Database) {
  const trusted = database.query<[string], { path: string }>(
    'SELECT path FROM trusted_folders WHERE path = ?',
    z.object({ path: z.string() }),
  );
  const trust = database.command<[string, number]>(
    'INSERT INTO trusted_folders (path, trusted_at) VALUES (?, ?) ON CONFLICT DO NOTHING',
  );
  const distrust = database.command<[string]>('DELETE FROM trusted_folders WHERE path = ?');
  const skills = database.query<[], DecidedSkill>(
    'SELECT path, hash, is_on AS isOn FROM skills ORDER BY path',
    skillRow,
  );
  const decide = database.command<[string, string, number, number]>(
    `INSERT INTO skills (path, hash, is_on, decided_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (path) DO UPDATE
     SET hash = excluded.hash, is_on = excluded.is_on, decided_at = excluded.decided_at`,
  );
  return {
    isFolderTrusted: (path: string): boolean => trusted.get(path) !== undefined,
    /** To the letter: what lies beneath it is trusted for itself. */
    setFolderTrusted: (path: string, isTrusted: boolean, at: number): void =>
      void (isTrusted ? trust.run(path, at) : distrust.run(path)),
    decidedSkills: (): DecidedSkill[] => skills.all(),
    decideSkill: ({ path, hash, isOn }: DecidedSkill, at: number): void =>
      void decide.run(path, hash, isOn ? 1 : 0, at),
  };
}
