/** Who is behind a connection, and what they may ask for (X1, X2). */

/** Each may do what those before it may. */
export const levels = ['guest', 'user', 'admin', 'owner'] as const;
export type Level = (typeof levels)[number];

/** Whoever sits at this machine. */
export const ownerId = 'owner';

export interface Principal {
  userId: string;
  level: Level;
  /** Where they come from: `desktop`, `cli`, `api`, … */
  platform: string;
  /** Of the program that speaks for them; null = they speak for themselves. */
  tokenId: string | null;
  /** Modules whose tools may be used. */
  modules: readonly string[] | 'all';
}

/** A window, or a program that has the rights of the data folder. */
export const ownerAt = (platform: string): Principal => ({
  userId: ownerId,
  level: 'owner',
  platform,
  tokenId: null,
  modules: 'all',
});

export const reaches = (level: Level, needed: Level): boolean =>
  levels.indexOf(level) >= levels.indexOf(needed);

/** The lesser of two. */
export const lowerLevel = (one: Level, other: Level): Level => (reaches(one, other) ? other : one);

/** Of windows: a person opens as many sessions there as they like. */
export const windowPlatform = 'desktop';
/** Of programs that hold a token: their sessions are talked there, with the token as the channel. */
export const apiPlatform = 'api';
/** Of jobs: each has one conversation, with its id as the channel. */
export const schedulePlatform = 'schedule';
/** No bridge may bring messages of these. */
export const ownPlatforms: ReadonlySet<string> = new Set([
  windowPlatform,
  apiPlatform,
  schedulePlatform,
  'cli',
  'gateway',
]);
