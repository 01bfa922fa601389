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
  personaId: z.string().nullable(),
  model: z.string().nullable(),
  maxOutputTokens: z.number().nullable(),
  modules: z.string().nullable(),
  isPerPerson: z.union([z.literal(0), z.literal(1)]).transform((value) => value === 1),
  pauseMs: z.number().nullable(),
});

function toBinding({ modules: listed, ...row }: z.infer<typeof bindingRow>): Binding {
  const modules = readModules(listed);
  return { ...row, modules, hasBadModules: listed !== null && modules === null };
}

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
  const setPlace = database.command<[string, string, string, string, string, string, string, string | null]>(
    `UPDATE sessions SET user_id = ?2, platform = ?3, server = ?4, channel = ?5, thread = ?6, part = ?7,
       persona_id = (SELECT id FROM personas WHERE id = ?8) WHERE id = ?1`,
  );
  const bindings = database.query<[], z.infer<typeof bindingRow>>(
    `SELECT id, platform, server, profile_id AS profileId, persona_id AS personaId, model,
       max_output AS maxOutputTokens, modules, per_person AS isPerPerson, pause_ms AS pauseMs
     FROM bindings ORDER BY platform, server`,
    bindingRow,
  );
  const put = database.command<BindingValues>(
    `INSERT INTO bindings (id, platform, server, profile_id, persona_id, model, max_output, modules, per_person, pause_ms)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (platform, server) DO UPDATE SET profile_id = excluded.profile_id,
       persona_id = excluded.persona_id, model = excluded.model, max_output = excluded.max_output,
       modules = excluded.modules, per_person = excluded.per_person, pause_ms = excluded.pause_ms`,
  );
  const remove = database.command<[string]>('DELETE FROM bindings WHERE id = ?');
  return {
    /** Also of a session that was deleted; null = it is gone. */
    placeOf: (sessionId: string): Place | null => place.get(sessionId) ?? null,
    /** The newest conversation of a place, or of a part of it; null = nobody has talked there yet. */
    newestSessionAt: ({ platform, server, channel, thread, part }: Place): PlacedSession | null =>
      newestAt.get(platform, server, channel, thread, part) ?? null,
    /** From now on it is that person's, and talked there with that persona. Throws where another session is. */
    setPlace: (sessionId: string, userId: string, at: Place, personaId: string | null): void =>
      void setPlace.run(sessionId, userId, at.platform, at.server, at.channel, at.thread, at.part, personaId),
    listBindings: (): Binding[] => bindings.all().map(toBinding),
    /** In the place of the one that its platform and server had. */
    putBinding(binding: Omit<Binding, 'hasBadModules'>): void {
      const { id, platform, server, profileId, personaId, model, maxOutputTokens, modules } = binding;
      const listed = modules === null ? null : JSON.stringify(modules);
      const isPerPerson = binding.isPerPerson ? 1 : 0;
      const who = [id, platform, server, profileId, personaId] as const;
      put.run(...who, model, maxOutputTokens, listed, isPerPerson, binding.pauseMs);
    },
    /** False = there was none. */
    removeBinding: (id: string): boolean => remove.run(id) > 0,
  };
}

type BindingValues = [
  id: string,
  platform: string,
  server: string,
  profileId: string,
  personaId: string | null,
  model: string | null,
  maxOutputTokens: number | null,
  modules: string | null,
  isPerPerson: 0 | 1,
  pauseMs: number | null,
];
