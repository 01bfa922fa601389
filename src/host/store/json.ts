/** JSON columns: written by an Andiron, possibly an older or an interrupted one, so checked when read. */
import type { z } from 'zod';
import type { Log } from '../../platform/log.ts';

/** Where a damaged value stands, for the log. */
interface Place {
  table: string;
  id: string;
}

export type JsonReader = ReturnType<typeof createJsonReader>;

export function createJsonReader(log: Log) {
  const read = <T>(text: string, schema: z.ZodType<T>, place: Place, exact: boolean): T | undefined => {
    try {
      const value: unknown = JSON.parse(text);
      const parsed = schema.parse(value);
      return exact && conforms(value, schema) ? value : parsed;
    } catch (error) {
      log.error('A stored value is damaged', error, { ...place });
      return undefined;
    }
  };
  return {
    /** undefined when it is damaged: reported, never thrown through. */
    read: <T>(text: string, schema: z.ZodType<T>, place: Place): T | undefined =>
      read(text, schema, place, false),
    /** The same, but the value exactly as stored: key order is part of the prompt's bytes. */
    readExact: <T>(text: string, schema: z.ZodType<T>, place: Place): T | undefined =>
      read(text, schema, place, true),
  };
}

const conforms = <T>(value: unknown, schema: z.ZodType<T>): value is T => schema.safeParse(value).success;
