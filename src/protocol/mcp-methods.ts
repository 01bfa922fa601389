/** Servers that bring tools of other people (MCP), as the owner's window sets them up: a manifest for each. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { levels } from './principal.ts';

/** It is the first half of the name of each of its tools. */
export const serverNamePattern = /^[A-Za-z0-9][A-Za-z0-9_-]{0,31}$/;
const serverName = z.string().regex(serverNamePattern);

const connectionSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('command'),
    command: z.string(),
    args: z.array(z.string()),
    /** Names alone: a value is a secret, and never comes back. */
    variables: z.array(z.string()),
    /** Of the person, that it may change. */
    folders: z.array(z.string()),
    /** That it may reach. */
    hosts: z.array(z.string()),
    /** It may run where there is no sandbox. */
    isUnsandboxed: z.boolean(),
  }),
  /** The address without what may be a key; names of headers alone. */
  z.object({ kind: z.literal('address'), url: z.string(), headers: z.array(z.string()) }),
]);

const stateSchema = z.discriminatedUnion('state', [
  /** `idle`: it is started when one of its tools is wanted. */
  z.object({ state: z.enum(['off', 'idle', 'connecting']) }),
  z.object({
    state: z.literal('ready'),
    /** As it calls itself: foreign text. */
    server: z.string(),
    /** Version of the protocol. */
    protocol: z.string(),
  }),
  /** `isFinal`: it is not started again by itself; one at an address may be by whoever wants it. */
  z.object({ state: z.literal('failed'), message: z.string(), advice: z.string(), isFinal: z.boolean() }),
]);
export type McpServerState = z.infer<typeof stateSchema>;

const toolSchema = lazyObject(() => ({
  name: z.string(),
  description: z.string(),
  /** JSON Schema as text, canonical. */
  params: z.string(),
  /** Of the definition that `change` is about, else of the one that was allowed; '' = the server has it no more. */
  hash: z.string(),
  isOn: z.boolean(),
  /** Since the person allowed it. Such a tool cannot be called before they confirm it. */
  change: z.enum(['added', 'changed', 'removed']).nullable(),
  /** What was allowed, where it was changed. */
  before: z.object({ description: z.string(), params: z.string() }).nullable(),
  /** Its definition, where it comes as a result. */
  tokens: z.number().int(),
  level: z.enum(levels),
  mutates: z.boolean(),
  retrySafe: z.boolean(),
  timeoutMs: z.number().int(),
}));
export type McpTool = z.infer<typeof toolSchema>;

const signInSchema = z.object({
  /** `needed`: the server does not answer before. `waiting`: for the answer of the browser. `none`: it did not ask. */
  state: z.enum(['none', 'needed', 'waiting', 'signed_in']),
  /** Why the last attempt failed; null = it did not. */
  problem: z.string().nullable(),
});
export type McpSignIn = z.infer<typeof signInSchema>;

/** Its manifest (X8). */
const serverSchema = lazyObject(() => ({
  name: z.string(),
  description: z.string(),
  isOn: z.boolean(),
  connection: connectionSchema,
  state: stateSchema,
  /** null = it has no address, or a key of its own. */
  signIn: signInSchema.nullable(),
  tools: z.array(toolSchema),
  /** That cannot be used: too large, too many, or with a name that none may have. */
  leftOut: z.number().int(),
}));
export type McpServer = z.infer<typeof serverSchema>;

const listSchema = lazyObject(() => ({
  servers: z.array(serverSchema),
  /** What of `mcp.json` cannot be used; null = nothing. */
  problem: z.string().nullable(),
  /** What the two tools cost in the head of a profile that has them, however many servers there are. */
  headTokens: z.number().int(),
}));
export type McpList = z.infer<typeof listSchema>;

const list = { result: listSchema };

export const mcpMethods = {
  'mcp/list': { params: z.object({}), ...list },
  /** Reads `mcp.json` again, and asks the named server, or each that is on, for its tools. */
  'mcp/refresh': { params: z.object({ name: serverName.optional() }), ...list },
  /** Takes the text of a file in the form of other clients, or a part of it; what it names is on. */
  'mcp/add': { params: z.object({ text: z.string().max(256 * 1024) }), ...list },
  /** With all that is kept of it. */
  'mcp/remove': { params: z.object({ name: serverName }), ...list },
  /** What is not named stays. */
  'mcp/change': {
    params: z.object({
      name: serverName,
      isOn: z.boolean().optional(),
      isUnsandboxed: z.boolean().optional(),
      tools: z.record(z.string(), z.boolean()).optional(),
    }),
    ...list,
  },
  /** Allows what was shown, by its hash: a definition that changed meanwhile stays suspended. */
  'mcp/confirm': {
    params: z.object({
      name: serverName,
      tools: z.array(z.object({ name: z.string(), hash: z.string() })).max(1_000),
    }),
    ...list,
  },
  /** `url`: what the person opens in their browser. An older attempt is ended; each ends after five minutes. */
  'mcp/sign-in': { params: z.object({ name: serverName }), result: z.object({ url: z.string() }) },
  'mcp/cancel-sign-in': { params: z.object({}), ...list },
  /** Forgets what was granted. */
  'mcp/sign-out': { params: z.object({ name: serverName }), ...list },
} as const;

export type ServerChanges = Omit<z.input<(typeof mcpMethods)['mcp/change']['params']>, 'name'>;
