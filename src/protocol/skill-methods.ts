/** Skills and the instructions of a folder, as the owner's window shows and allows them. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';

/** `data`: the `skills` folder of the data folder. `home`: `~/.agents/skills`. `workspace`: a folder of sessions. */
const placeSchema = z.enum(['data', 'home', 'workspace']);
export type SkillPlace = z.infer<typeof placeSchema>;

/**
 * `waiting`: nobody has allowed it yet. `changed`: it is another one than was allowed. `broken`: it cannot be used.
 * `shadowed`: a nearer one has its name.
 */
const stateSchema = z.enum(['on', 'off', 'waiting', 'changed', 'broken', 'shadowed']);
export type SkillState = z.infer<typeof stateSchema>;

const skillSchema = lazyObject(() => ({
  /** Foreign text, with nothing hidden in it. */
  name: z.string(),
  description: z.string(),
  place: placeSchema,
  /** Of its folder. */
  path: z.string(),
  state: stateSchema,
  /** Why it is broken, in words that follow "Can’t be used: "; '' otherwise. */
  problem: z.string(),
  /** Of all that is in its folder; '' = it is broken. */
  hash: z.string(),
  /** Of its line in an opening. */
  tokens: z.number().int(),
}));
export type Skill = z.infer<typeof skillSchema>;

const agentsFileSchema = lazyObject(() => ({
  /** Relative to the folder. */
  shown: z.string(),
  /** What it adds to an opening. */
  tokens: z.number().int(),
  isCut: z.boolean(),
  /** Why it is not used, in words that follow "Can’t be used: "; '' otherwise. */
  problem: z.string(),
}));

const folderSchema = lazyObject(() => ({
  path: z.string(),
  isTrusted: z.boolean(),
  /** Only of a trusted folder; null = none is there, or it was not looked at. */
  agentsFile: agentsFileSchema.nullable(),
  /** What a folder holds that is not trusted: nothing of it is read. */
  waiting: z.object({ agentsFile: z.boolean(), skills: z.number().int() }),
}));

const listSchema = lazyObject(() => ({
  skills: z.array(skillSchema),
  /** That was asked for; null = none was. */
  folder: folderSchema.nullable(),
  /** Where the person’s own skills go. */
  ownFolder: z.string(),
}));
export type SkillList = z.infer<typeof listSchema>;

const list = { result: listSchema };
/** The folder of sessions that is looked at beside the person’s own places; absent = none is. */
const workspace = z.string().optional();

export const skillMethods = {
  'skill/list': { params: z.object({ workspace }), ...list },
  /** Allows what was shown, by its hash: one that changed meanwhile waits once more. */
  'skill/allow': { params: z.object({ workspace, path: z.string(), hash: z.string() }), ...list },
  'skill/turn-off': { params: z.object({ workspace, path: z.string() }), ...list },
  /** Lets sessions read what their folder says to agents, or no longer. */
  'skill/trust-folder': { params: z.object({ workspace: z.string(), isTrusted: z.boolean() }), ...list },
} as const;
