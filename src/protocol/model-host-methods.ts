/** Model servers besides the engine's Ollama (`hosts.json`), and their keys. A key goes in, and never comes out. */
import { z } from 'zod';
import { modelInfoSchema } from './engine-model.ts';
import { lazyObject } from './lazy-object.ts';
import { maxHostKeyLength, maxHostNameLength } from './limits.ts';

const none = z.object({});

const modelHostSchema = lazyObject(() => ({
  id: z.string(),
  name: z.string(),
  url: z.string(),
  kind: z.enum(['ollama', 'openai']),
  /**
   * `environment`: a variable has it. `elsewhere`: one is kept for another address, and is not sent to this one. null = this
   * kind of host takes none.
   */
  key: z.enum(['kept', 'environment', 'elsewhere', 'none']).nullable(),
}));
export type ModelHost = z.infer<typeof modelHostSchema>;

/** `file`: the keys lie in it as they are, for this person's programs to read. */
const keyPlaceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('keychain'), name: z.enum(['macos', 'windows', 'gnome', 'kwallet']) }),
  z.object({ kind: z.literal('file'), path: z.string() }),
]);
export type KeyPlace = z.infer<typeof keyPlaceSchema>;

const modelHostListSchema = lazyObject(() => ({
  hosts: z.array(modelHostSchema),
  /** What of `hosts.json` cannot be used; null = nothing. */
  problem: z.string().nullable(),
  place: keyPlaceSchema,
}));
export type ModelHostList = z.infer<typeof modelHostListSchema>;

const addedHostSchema = lazyObject(() => ({
  host: modelHostSchema,
  /** Those that it lists, by the names that sessions and profiles use. */
  models: z.array(z.string()),
}));
export type AddedHost = z.infer<typeof addedHostSchema>;

const hostModelsSchema = lazyObject(() => ({
  hostId: z.string(),
  name: z.string(),
  /** By the names that sessions and profiles use, as the server lists them. */
  models: z.array(z.string()),
  /** Why it listed none; null = it did list them. */
  problem: z.object({ code: z.string(), message: z.string(), advice: z.string() }).nullable(),
}));
export type HostModels = z.infer<typeof hostModelsSchema>;

export const modelHostMethods = {
  /** The models of Ollama. Waits until they are read; `engine_unavailable` where Ollama does not answer. */
  'model/list': {
    params: none,
    result: lazyObject(() => ({
      models: z.array(z.object({ model: modelInfoSchema, isLoaded: z.boolean() })),
    })),
  },
  'model-host/list': {
    params: none,
    result: modelHostListSchema,
  },
  /**
   * Asks each of those servers, or the one that is named, which models it has. One that is silent has a problem after some
   * seconds.
   */
  'model-host/models': {
    params: lazyObject(() => ({ hostId: z.string().optional() })),
    result: lazyObject(() => ({ hosts: z.array(hostModelsSchema) })),
  },
  /**
   * Asks the server for its models, finds out what it speaks by that, and writes it into `hosts.json`. `name` empty = it is
   * called by its address. `engine_unavailable` = nothing answers there; `engine_refused` = it does, and wants a key, say;
   * `invalid_params` = it is no address, is there already, or `hosts.json` cannot be used as it is.
   */
  'model-host/add': {
    params: lazyObject(() => ({
      address: z.string().min(1).max(2_000),
      name: z.string().max(maxHostNameLength),
      key: z.string().max(maxHostKeyLength).nullable(),
    })),
    result: addedHostSchema,
  },
  /** From `hosts.json`, with its key. */
  'model-host/remove': {
    params: lazyObject(() => ({ hostId: z.string().min(1) })),
    result: none,
  },
  /** From the next request on. null removes it. `invalid_params` = it is no key, or the system did not take it. */
  'model-host/set-key': {
    params: lazyObject(() => ({
      hostId: z.string().min(1),
      key: z.string().max(maxHostKeyLength).nullable(),
    })),
    result: none,
  },
} as const;
