/** People, and the accounts of other platforms by which they are known. */
import { z } from 'zod';
import { levels, type Level } from '../../protocol/principal.ts';
import type { Budget } from '../../rules/budget.ts';
import type { Database } from './sqlite.ts';

export interface User extends Budget {
  id: string;
  /** '' = nobody has given one. */
  name: string;
  level: Level;
  /** Unix milliseconds; null = they are not. */
  blockedAt: number | null;
  createdAt: number;
}

/** An account of a platform, with the person behind it. */
export interface UserLink {
  platform: string;
  platformUserId: string;
  userId: string;
  /** As the platform shows them. */
  name: string;
  createdAt: number;
}

export type PeopleStore = ReturnType<typeof createPeopleStore>;

const userRow = z.object({
  id: z.string(),
  name: z.string(),
  level: z.enum(levels),
  budget: z.number().nullable(),
  used: z.number(),
  resetAt: z.number(),
  blockedAt: z.number().nullable(),
  createdAt: z.number(),
}) satisfies z.ZodType<User>;
const linkRow = z.object({
  platform: z.string(),
  platformUserId: z.string(),
  userId: z.string(),
  name: z.string(),
  createdAt: z.number(),
}) satisfies z.ZodType<UserLink>;

const userColumns =
  'u.id, u.name, u.level, u.budget, u.used, u.reset_at AS resetAt, u.blocked_at AS blockedAt, u.created_at AS createdAt';
const linkColumns =
  'platform, platform_user_id AS platformUserId, user_id AS userId, name, created_at AS createdAt';

export function createPeopleStore(database: Database) {
  const one = database.query<[string], User>(`SELECT ${userColumns} FROM users u WHERE u.id = ?`, userRow);
  const linked = database.query<[string, string], User>(
    `SELECT ${userColumns} FROM user_links l JOIN users u ON u.id = l.user_id
     WHERE l.platform = ? AND l.platform_user_id = ?`,
    userRow,
  );
  const all = database.query<[], User>(
    `SELECT ${userColumns} FROM users u ORDER BY u.created_at, u.id`,
    userRow,
  );
  const links = database.query<[], UserLink>(
    `SELECT ${linkColumns} FROM user_links ORDER BY created_at, platform, platform_user_id`,
    linkRow,
  );
  const put = database.command<UserValues>(
    `INSERT INTO users (id, name, level, budget, used, reset_at, blocked_at, created_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, level = excluded.level, budget = excluded.budget,
       used = excluded.used, reset_at = excluded.reset_at, blocked_at = excluded.blocked_at`,
  );
  const putLink = database.command<[string, string, string, string, number]>(
    `INSERT INTO user_links (platform, platform_user_id, user_id, name, created_at) VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (platform, platform_user_id) DO UPDATE SET user_id = excluded.user_id, name = excluded.name`,
  );
  const sessionOwner = database.query<[string], { userId: string }>(
    'SELECT user_id AS userId FROM sessions WHERE id = ?',
    z.object({ userId: z.string() }),
  );
  const speaker = database.query<[string], { userId: string }>(
    'SELECT coalesce(speaker_id, user_id) AS userId FROM sessions WHERE id = ?',
    z.object({ userId: z.string() }),
  );
  const setSpeaker = database.command<[string, string | null]>(
    'UPDATE sessions SET speaker_id = ?2 WHERE id = ?1',
  );
  return {
    getUser: (id: string): User | null => one.get(id) ?? null,
    userBehind: (platform: string, platformUserId: string): User | null =>
      linked.get(platform, platformUserId) ?? null,
    /** In the order in which they came. */
    listUsers: (): User[] => all.all(),
    listUserLinks: (): UserLink[] => links.all(),
    /** New, or in the place of what was known of them. */
    putUser: (user: User): void => void put.run(...toValues(user)),
    /** Another person than before is behind the account from now on, where it was known. */
    putUserLink: ({ platform, platformUserId, userId, name, createdAt }: UserLink): void =>
      void putLink.run(platform, platformUserId, userId, name, createdAt),
    /** Whose session it is, also of one that was deleted; null = it is gone. */
    sessionOwner: (sessionId: string): string | null => sessionOwner.get(sessionId)?.userId ?? null,
    /** Whose message the session works on, or worked on last; null = it is gone. */
    speakerOf: (sessionId: string): string | null => speaker.get(sessionId)?.userId ?? null,
    /** null = whoever it belongs to. */
    setSpeaker: (sessionId: string, userId: string | null): void => void setSpeaker.run(sessionId, userId),
  };
}

type UserValues = [
  id: string,
  name: string,
  level: string,
  budget: number | null,
  used: number,
  resetAt: number,
  blockedAt: number | null,
  createdAt: number,
];

const toValues = (user: User): UserValues => [
  user.id,
  user.name,
  user.level,
  user.budget,
  user.used,
  user.resetAt,
  user.blockedAt,
  user.createdAt,
];
