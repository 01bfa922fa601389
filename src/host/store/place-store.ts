/** Where sessions are talked, and what answers there. */
import { z } from 'zod';
import { parseJson } from '../../protocol/json.ts';
import type { Binding } from '../../rules/binding.ts';
import type { Database } from './sqlite.ts';

/** One conversation. '' = the platform has no such thing. */
export interface Place {
  platform: string;
  server: string;
  channel: string;
  thread: string;
  /** Where a place has several conversations: whose, or since when. */
  part: string;
}

export interface PlacedSession {
  sessionId: string;
  updatedAt: number;
}

export type PlaceStore = ReturnType<typeof createPlaceStore>;

const placeRow = z.object({
  platform: z.string(),
  server: z.string(),
  channel: z.string(),
  thread: z.string(),
  part: z.string(),
}) satisfies z.ZodType<Place>;
const placedRow = z.object({
  sessionId: z.string(),
  updatedAt: z.number(),
}) satisfies z.ZodType<PlacedSession>;

const modulesSchema = z.array(z.string());
const bindingRow = z.object({
  id: z.string(),
  platform: z.string(),
  server: z.string(),
  profileId: z.string(),
  model: z.string().nullable(),
  modules: z.string().nullable().transform(readModules),
  isPerPerson: z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1),
  pauseMs: z.number().nullable(),
});

/** A list that cannot be read counts as none, so that the default ones are used (Q8). */
function readModules(text: string | null): string[] | null {
  if (text === null) return null;
  try {
    return modulesSchema.safeParse(parseJson(text)).data ?? null;
  } catch {
    // No JSON at all.
    return null;
  }
}

export function createPlaceStore(database: Database) {
  const place = database.query<[string], Place>(
    'SELECT platform, server, channel, thread, part FROM sessions WHERE id = ?',
    placeRow,
  );
  const newestAt = database.query<[string, string, string, string, string], PlacedSession>(
    `SELECT id AS sessionId, updated_at AS updatedAt FROM sessions
     WHERE platform = ?1 AND server = ?2 AND channel = ?3 AND thread = ?4
       AND (part = ?5 OR substr(part, 1, length(?5) + 7) = ?5 || ' since ')
       AND deleted_at IS NULL
     ORDER BY created_at DESC, rowid DESC LIMIT 1`,
    placedRow,
  );
  const setPlace = database.command<[string, string, string, string, string, string, string]>(
    `UPDATE sessions SET user_id = ?2, platform = ?3, server = ?4, channel = ?5, thread = ?6, part = ?7
     WHERE id = ?1`,
  );
  const bindings = database.query<[], Binding>(
    `SELECT id, platform, server, profile_id AS profileId, model, modules, per_person AS isPerPerson,
       pause_ms AS pauseMs FROM bindings ORDER BY platform, server`,
    bindingRow,
  );
  const put = database.command<
    [string, string, string, string, string | null, string | null, 0 | 1, number | null]
  >(
    `INSERT INTO bindings (id, platform, server, profile_id, model, modules, per_person, pause_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, server) DO UPDATE SET profile_id = excluded.profile_id, model = excluded.model,
       modules = excluded.modules, per_person = excluded.per_person, pause_ms = excluded.pause_ms`,
  );
  const remove = database.command<[string]>('DELETE FROM bindings WHERE id = ?');
  return {
    /** Also of a session that was deleted; null = it is gone. */
    placeOf: (sessionId: string): Place | null => place.get(sessionId) ?? null,
    /** The newest conversation of a place, or of a part of it; null = nobody has talked there yet. */
    newestSessionAt: ({ platform, server, channel, thread, part }: Place): PlacedSession | null =>
      newestAt.get(platform, server, channel, thread, part) ?? null,
    /** From now on it is that person's, and talked there. Throws where another session is. */
    setPlace: (sessionId: string, userId: string, at: Place): void =>
      void setPlace.run(sessionId, userId, at.platform, at.server, at.channel, at.thread, at.part),
    listBindings: (): Binding[] => bindings.all(),
    /** In the place of the one that its platform and server had. */
    putBinding(binding: Binding): void {
      const { id, platform, server, profileId, model, modules, isPerPerson, pauseMs } = binding;
      const listed = modules === null ? null : JSON.stringify(modules);
      put.run(id, platform, server, profileId, model, listed, isPerPerson ? 1 : 0, pauseMs);
    },
    /** False = there was none. */
    removeBinding: (id: string): boolean => remove.run(id) > 0,
  };
}
