/** What is kept about the person, where it lies and how large it is, what they allowed, and what this Andiron is. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { commandRuleSchema, grantSchema, riskSchema } from './model.ts';

/** One thing remembered about the person. */
const rememberedSchema = lazyObject(() => ({
  id: z.string(),
  category: z.string(),
  key: z.string(),
  value: z.string(),
  /** Where it was said; null = entered by hand, or that session is gone for good. */
  sessionId: z.string().nullable(),
  /**
   * `noticed` by itself, `saved` by a tool when asked, `taught` = the same after the session had read other texts than the
   * person's, `written` by the person; null = unknown.
   */
  origin: z.enum(['noticed', 'taught', 'saved', 'written']).nullable(),
  createdAt: z.number().int(),
  updatedAt: z.number().int(),
  /** From then on it is forgotten; null = never. */
  expiresAt: z.number().int().nullable(),
}));
export type Remembered = z.infer<typeof rememberedSchema>;

/** Tells new sessions about the person in a few sentences. */
const memorySummarySchema = lazyObject(() => ({
  text: z.string(),
  /** Theirs: no model replaces it. */
  byPerson: z.boolean(),
  updatedAt: z.number().int(),
}));

/** How far facts are found by what they mean, and what keeps them from it. */
const meaningSchema = lazyObject(() => ({
  /** As the person chose; null = Andiron chooses, '' = none. */
  choice: z.string().nullable(),
  /** In use; null = none. */
  model: z.string().nullable(),
  /** Installed models that make vectors, the smallest first. */
  models: z.array(z.object({ name: z.string(), sizeBytes: z.number() })),
  /** Facts with a vector of the model in use, of all. */
  indexed: z.number().int(),
  total: z.number().int(),
  problem: z
    .object({
      /**
       * `off`: by choice. `gone`: the chosen one is not installed. `no_place`: Ollama would put another model out of memory.
       */
      kind: z.enum(['off', 'no_engine', 'no_model', 'gone', 'no_place', 'failed']),
      /** What is told beside it; may be empty. */
      text: z.string(),
    })
    .nullable(),
}));
export type MeaningStatus = z.infer<typeof meaningSchema>;

const memorySchema = lazyObject(() => ({
  facts: z.array(rememberedSchema),
  summary: memorySummarySchema.nullable(),
  meaning: meaningSchema,
}));
/** All that is remembered. */
export type MemoryContents = z.infer<typeof memorySchema>;

/** A tool that no longer asks in that folder for the rest of that session. */
const sessionGrantSchema = grantSchema.extend({
  sessionId: z.string(),
  risk: riskSchema,
  /** The folder as the person knows it; empty without one. */
  shown: z.string(),
});
export type SessionGrant = z.infer<typeof sessionGrantSchema>;

const storedCommandRuleSchema = commandRuleSchema.extend({
  id: z.string(),
  /** In whose turns it holds, as they are called; null = the owner's. */
  person: z.string().nullable(),
  /** Real path of the folder in which it holds. */
  workspace: z.string(),
  createdAt: z.number().int(),
  /** null = never. */
  lastUsedAt: z.number().int().nullable(),
  /** How often it has let a command run. */
  used: z.number().int(),
});
export type StoredCommandRule = z.infer<typeof storedCommandRuleSchema>;

/** A host that commands may reach without a question. */
const storedHostRuleSchema = z.object({
  id: z.string(),
  /** In whose turns it holds, as they are called; null = the owner's. */
  person: z.string().nullable(),
  /** As a question names it. */
  host: z.string(),
  /** Real path of the folder in which it holds. */
  workspace: z.string(),
  /** null = all sessions of the folder. */
  sessionId: z.string().nullable(),
  createdAt: z.number().int(),
  /** null = never. */
  lastUsedAt: z.number().int().nullable(),
  /** How often it has let the host be reached. */
  used: z.number().int(),
});
export type StoredHostRule = z.infer<typeof storedHostRuleSchema>;

export const storageParts = [
  'database',
  'backups',
  'undo',
  'attachments',
  'collections',
  'engine',
  'models',
  'logs',
  'other',
] as const;
export type StoragePart = (typeof storageParts)[number];

/** Measured when asked. null = could not be measured. */
const storageSchema = lazyObject(() => ({
  dataDir: z.string(),
  /** Bytes by part, all of the data folder. */
  parts: z.record(z.enum(storageParts), z.number().int().nonnegative().nullable()),
  /** Inside the database: what was said, without indexes. */
  sessions: z.object({ count: z.number().int(), bytes: z.number().int() }),
  /** Deleted, and still to be had back. `nextAt`: when the first of them goes for good. */
  deleted: z.object({
    count: z.number().int(),
    bytes: z.number().int(),
    nextAt: z.number().int().nullable(),
  }),
  /** Inside the database and used by nothing: compacting gives it back. */
  unusedBytes: z.number().int(),
  /** On the disk of the data folder. */
  freeBytes: z.number().int().nullable(),
  at: z.number().int(),
}));
export type StorageSizes = z.infer<typeof storageSchema>;

/** Where the PATH of commands came from, and which shell was asked for it. */
const searchPathSchema = z.object({
  /** `inherited`: whoever started Andiron gave it. `fallback`: the shell did not say, so usual folders were added. */
  source: z.enum(['inherited', 'shell', 'fallback']),
  /** null = none was asked. */
  shell: z.string().nullable(),
  /** Why it did not say; null = it did, or was not asked. */
  reason: z.string().nullable(),
});
export type SearchPath = z.infer<typeof searchPathSchema>;

/** What commands are kept in; the problems are those of `platform/sandbox/sandbox.ts`. */
const sandboxStatusSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.enum(['bwrap', 'srt']),
    version: z.string(),
    /** A command in it may ask for hosts; false = it has no network. */
    hasProxy: z.boolean(),
  }),
  z.object({
    kind: z.literal('none'),
    problem: z.enum(['system', 'missing', 'refused', 'leaky']),
    /** What its program said, or what got out; may be empty. */
    detail: z.string(),
  }),
]);

const aboutSchema = lazyObject(() => ({
  /** null = unknown: started from a part of Andiron that does not know it. */
  version: z.string().nullable(),
  platform: z.string(),
  arch: z.string(),
  runtimes: z.object({
    node: z.string(),
    sqlite: z.string(),
    /** null = there is none: the agent runs headless. */
    electron: z.string().nullable(),
    chromium: z.string().nullable(),
  }),
  dataDir: z.string(),
  logsDir: z.string(),
  /** Of the person: what is copied for others names it `~`. */
  homeDir: z.string().nullable(),
  searchPath: searchPathSchema,
  sandbox: sandboxStatusSchema,
}));
export type About = z.infer<typeof aboutSchema>;

const none = z.object({});
const sessionId = z.string().min(1);
const factId = z.string().min(1);

export const personMethods = {
  /** By category and key. Changes are told as `memory/changed`. */
  'memory/list': { params: none, result: memorySchema },
  /** In the person's own words. Refused: empty, too long, or what looks like a secret. */
  'memory/update': {
    params: lazyObject(() => ({ factId, value: z.string().max(1000) })),
    result: lazyObject(() => ({ fact: rememberedSchema })),
  },
  'memory/forget': { params: lazyObject(() => ({ factId })), result: none },
  /** Takes the last forgetting of it back, until Andiron ends; `not_found` when something took its place. */
  'memory/restore': {
    params: lazyObject(() => ({ factId })),
    result: lazyObject(() => ({ fact: rememberedSchema })),
  },
  /** Everything, for good. */
  'memory/clear': { params: none, result: lazyObject(() => ({ forgotten: z.number().int() })) },
  /** The model by which facts are found, for everybody: null = Andiron chooses, '' = none. `not_found` = not installed. */
  'memory/choose-model': {
    params: lazyObject(() => ({ model: z.string().max(200).nullable() })),
    result: none,
  },
  /** '' removes it; a model may then write another. */
  'memory/set-summary': { params: lazyObject(() => ({ text: z.string().max(4000) })), result: none },

  /** Of every session that is not deleted. Changes are told as `grants/changed`. */
  'approval/grants': { params: none, result: lazyObject(() => ({ grants: z.array(sessionGrantSchema) })) },
  /** The next call of it asks again. */
  'approval/revoke': { params: grantSchema.extend({ sessionId }), result: none },

  /** In every folder. Changes are told as `grants/changed`. */
  'approval/rules': {
    params: lazyObject(() => ({ sessionId: sessionId.optional() })),
    result: lazyObject(() => ({
      /** The real path of that session's folder; null = none was named. */
      folder: z.string().nullable(),
      rules: z.array(storedCommandRuleSchema),
      hosts: z.array(storedHostRuleSchema),
    })),
  },
  /** For the folder of that session. `invalid_params` = one of them is no name of a host, and none was added. */
  'approval/add-hosts': {
    params: lazyObject(() => ({ sessionId, hosts: z.array(z.string().min(1)).min(1).max(20) })),
    result: none,
  },
  /** Of a command or a host: the next one asks again. */
  'approval/remove-rule': { params: z.object({ ruleId: z.string().min(1) }), result: none },

  'storage/measure': { params: none, result: storageSchema },
  /** Deleted sessions, for good and now. */
  'storage/purge': { params: none, result: lazyObject(() => ({ removed: z.number().int() })) },
  /** Gives unused space back to the disk. Refused with `busy` while a turn runs: it holds everything up. */
  'storage/compact': { params: none, result: lazyObject(() => ({ freedBytes: z.number().int() })) },
  /** Reads the whole database; `busy` as above. No problems = it is sound. */
  'storage/check': { params: none, result: lazyObject(() => ({ problems: z.array(z.string()) })) },

  'host/about': { params: none, result: aboutSchema },
} as const;
