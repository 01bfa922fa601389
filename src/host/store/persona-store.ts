/** Personas: texts with a name that say who speaks in a place (P24). */
import { z } from 'zod';
import type { Database } from './sqlite.ts';

export interface Persona {
  id: string;
  /** Of no other one. */
  name: string;
  text: string;
  createdAt: number;
}

export type PersonaStore = ReturnType<typeof createPersonaStore>;

const personaRow = z.object({
  id: z.string(),
  name: z.string(),
  text: z.string(),
  createdAt: z.number(),
}) satisfies z.ZodType<Persona>;
const columns = 'p.id, p.name, p.text, p.created_at AS createdAt';

export function createPersonaStore(database: Database) {
  const all = database.query<[], Persona>(
    `SELECT ${columns} FROM personas p ORDER BY p.created_at, p.id`,
    personaRow,
  );
  const ofSession = database.query<[string], Persona>(
    `SELECT ${columns} FROM sessions s JOIN personas p ON p.id = s.persona_id WHERE s.id = ?`,
    personaRow,
  );
  const put = database.command<[string, string, string, number]>(
    `INSERT INTO personas (id, name, text, created_at) VALUES (?, ?, ?, ?)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, text = excluded.text`,
  );
  const remove = database.command<[string]>('DELETE FROM personas WHERE id = ?');
  return {
    /** In the order in which they came. */
    listPersonas: (): Persona[] => all.all(),
    /** That the conversation began with; null = it has the persona of its profile. */
    personaOf: (sessionId: string): Persona | null => ofSession.get(sessionId) ?? null,
    /** New, or in the place of the one with that id. Throws where another one has its name. */
    putPersona: ({ id, name, text, createdAt }: Persona): void => void put.run(id, name, text, createdAt),
    /** Bindings and conversations that had it have that of their profile again. False = there was none. */
    removePersona: (id: string): boolean => remove.run(id) > 0,
  };
}
