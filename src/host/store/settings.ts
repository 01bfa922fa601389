/** Small values by name, each with its schema where it is read. */
import { z } from 'zod';
import type { JsonReader } from './json.ts';
import type { Database } from './sqlite.ts';

export type SettingsStore = ReturnType<typeof createSettingsStore>;

export function createSettingsStore(database: Database, json: JsonReader) {
  const read = database.query<[string], { value: string }>(
    'SELECT value FROM settings WHERE key = ?',
    z.object({ value: z.string() }),
  );
  const write = database.command<[string, string]>(
    'INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value',
  );
  return {
    /** undefined = never set, or damaged (reported). */
    readSetting<T>(key: string, schema: z.ZodType<T>): T | undefined {
      const row = read.get(key);
      return row && json.read(row.value, schema, { table: 'settings', id: key });
    },
    writeSetting: (key: string, value: unknown): void => void write.run(key, JSON.stringify(value)),
  };
}
