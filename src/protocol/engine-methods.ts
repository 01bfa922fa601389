/** What the engine answers: to windows (state, models) and to the host (leases). */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import { embedAnswerSchema, headIdSchema, waitingLeaseSchema, wantedForSchema } from './engine-room.ts';
import {
  cureMethods,
  fitMethods,
  libraryMethods,
  loadMethods,
  monitorMethods,
  setupMethods,
} from './engine-room-methods.ts';
import { engineStateSchema, keepAlivePolicySchema, loadPlanSchema, modelInfoSchema } from './model.ts';

const none = z.object({});
const model = z.string().min(1);

/** In one request: short, so that it can be given up at any moment. */
export const maxEmbedTexts = 8;
export const maxEmbedCharacters = 1_000;

export const engineMethods = {
  ...libraryMethods,
  ...fitMethods,
  ...loadMethods,
  ...monitorMethods,
  ...cureMethods,
  ...setupMethods,
  /** Subscribes this connection to the topic `engine`. `visible` sets the sampling pace. */
  'engine/subscribe': {
    params: none,
    result: lazyObject(() => ({ seq: z.number().int(), epoch: z.string(), state: engineStateSchema })),
  },
  /** A window says whether it is visible: 2 s between samples while one is, 30 s otherwise. */
  'engine/watch': { params: lazyObject(() => ({ visible: z.boolean() })), result: none },
  /** Looks for Ollama again, now. */
  'engine/refresh': { params: none, result: none },
  /** Starts an installed Ollama where the platform's way allows; refused with the way to do it by hand otherwise. */
  'engine/start': { params: none, result: none },
  /** `minutes` counts for the policy of that name only; absent = as they are. */
  'engine/set-keep-alive': {
    params: lazyObject(() => ({
      policy: keepAlivePolicySchema,
      minutes: z.number().int().positive().optional(),
    })),
    result: none,
  },
  /** Loads with the load plan in force and keeps warm. Only here may `contextTokens` ask for another window of a loaded model: a reload. */
  'model/preload': {
    params: lazyObject(() => ({ model, contextTokens: z.number().int().optional() })),
    result: none,
  },
  'model/unload': { params: lazyObject(() => ({ model })), result: none },
  /**
   * Host only. Who may use the GPU now, with which load plan. Resolves when granted *and* the model is loaded;
   * cancel the call to leave the queue (a load that began goes on). Ends with `lease/release` or when the
   * connection closes.
   */
  'lease/acquire': {
    params: lazyObject(() => ({
      model,
      contextTokens: z.number().int(),
      purpose: z.enum(['turn', 'warm']),
      label: z.string(),
      /** Absent = the owner. */
      wantedFor: wantedForSchema.optional(),
      head: headIdSchema.optional(),
      ticket: z.string().max(100).optional(),
    })),
    result: lazyObject(() => ({
      leaseId: z.string(),
      url: z.string(),
      plan: loadPlanSchema,
      model: modelInfoSchema,
      /** True when this call had to load the model. */
      loaded: z.boolean(),
    })),
  },
  /**
   * Host only. After an answer that broke off: is Ollama there, with the model as planned? Waits up to a minute for one
   * that restarts, loads again where that is needed, and keeps the place in the queue meanwhile.
   */
  'lease/regain': {
    params: lazyObject(() => ({ leaseId: z.string() })),
    result: lazyObject(() => ({
      url: z.string(),
      plan: loadPlanSchema,
      model: modelInfoSchema,
      loaded: z.boolean(),
      /** Ollama's versions when the lease was granted and now. */
      versions: z.object({ before: z.string(), now: z.string() }),
    })),
  },
  /**
   * Host only, for a warm-up: resolves with the turn that waits behind it, at once when there is one, so that the
   * warm-up can give way. Rejects `cancelled` when the lease has ended.
   */
  'lease/wanted': {
    params: lazyObject(() => ({ leaseId: z.string() })),
    result: lazyObject(() => ({ by: waitingLeaseSchema })),
  },
  /** Host only. One prefill as it was measured: the load plan learns a batch that takes about a second. */
  'model/report-prefill': {
    params: lazyObject(() => ({
      model,
      evaluatedTokens: z.number().int().positive(),
      ms: z.number().positive(),
    })),
    result: none,
  },
  /** `failed`: the last request did, so nothing that was known about the model is taken for granted any more. */
  'lease/release': {
    params: lazyObject(() => ({ leaseId: z.string(), failed: z.boolean().optional() })),
    result: none,
  },
  /**
   * Host only. A vector for each text, by a model that makes nothing else; without texts it is only loaded. `urgent`: a
   * message waits, so nothing is loaded for it. Otherwise only while nobody wants the GPU, and given up when somebody does.
   */
  'model/embed': {
    params: lazyObject(() => ({
      model,
      texts: z.array(z.string().max(maxEmbedCharacters)).max(maxEmbedTexts),
      urgent: z.boolean(),
    })),
    result: embedAnswerSchema,
  },
  /** Asks `/api/ps` now: is the model still in memory? Used for the proof after a stop. */
  'model/residency': {
    params: lazyObject(() => ({ model })),
    result: lazyObject(() => ({ loaded: z.boolean(), vramBytes: z.number().nullable() })),
  },
} as const;
export type EngineMethods = typeof engineMethods;
