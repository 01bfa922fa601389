/** Brings a database to the newest version, one numbered step at a time, with a copy before each. */
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { makePrivateFolder } from '../../platform/private-data.ts';
import { AndironError } from '../../protocol/errors.ts';
import type { Database } from './sqlite.ts';

const keptCopies = 5;

/** Throws AndironError `storage` when the database comes from a newer Andiron; a failed step leaves the version before. */
export function migrate(database: Database, migrations: readonly string[], backupDir: string): void {
  const version = z.number().int().parse(database.pragma('user_version'));
  if (version > migrations.length) {
    throw new AndironError(
      'storage',
      `The data was written by a newer Andiron (data version ${String(version)}, this one knows ${String(migrations.length)}).`,
      'Update Andiron, or start this one with another data folder.',
    );
  }
  for (const [index, sql] of migrations.entries()) {
    if (index >= version) step(database, sql, index + 1, version > 0 ? backupDir : null);
  }
}

/** All of it or nothing. Without a folder for the copy: the database is new, there is nothing to keep. */
function step(database: Database, sql: string, version: number, backupDir: string | null): void {
  try {
    if (backupDir !== null) copyTo(database, backupDir, version - 1);
    database.transaction(() => {
      database.exec(sql);
      database.pragma(`user_version = ${String(version)}`);
    });
  } catch (error) {
    if (error instanceof AndironError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new AndironError(
      'storage',
      `The data could not be brought to version ${String(version)} (${reason}).`,
      `Nothing was changed${backupDir !== null ? ` and a copy is in ${backupDir}` : ''}. Go on with the Andiron that you had before, and report this.`,
      { cause: error },
    );
  }
}

function copyTo(database: Database, backupDir: string, version: number): void {
  makePrivateFolder(backupDir);
  const path = join(backupDir, `andiron-v${String(version).padStart(4, '0')}.db`);
  // A copy left by a step that failed is older than the data now.
  rmSync(path, { force: true });
  database.command<[string]>('VACUUM INTO ?').run(path);
  for (const old of readdirSync(backupDir).toSorted().slice(0, -keptCopies)) rmSync(join(backupDir, old));
}
