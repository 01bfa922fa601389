/** Small values by name, each with its schema where it is read. */
import { z } from 'zod';
import type { JsonReader } from './json.ts';
import type { Database } from './sqlite.ts';

export interface SettingsStore {
  /** undefined = never set, or damaged (reported). */
  readSetting<T>(key: string, schema: z.ZodType<T>): T | undefined;
  writeSetting(key: string, value: unknown): void;
}

export function createSettingsStore(database: Database, json: JsonReader): SettingsStore {
  const read = database.query<[string], { value: string }>(
    'SELECT value FROM settings WHERE key = ?',
    z.object({ value: z.string() }),
  );
  const write = database.command<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    readSetting(key, schema) {
      const row = read.get(key);
      return row && json.read(row.value, schema, { table: 'settings', id: key });
    },
    writeSetting: (key, value) => void write.run(key, JSON.stringify(value)),
  };
}
