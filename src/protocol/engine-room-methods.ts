/** What windows may ask of the engine room; each part is answered where it lives. */
import { z } from 'zod';
import { lazyObject } from './lazy-object.ts';
import {
  catalogueEntrySchema,
  fitSchema,
  loadPriceSchema,
  modelDetailsSchema,
  runnerSlotSchema,
  timelinePointSchema,
} from './engine-room.ts';

const none = z.object({});
const model = z.string().min(1);
const contextTokens = z.number().int().positive();

export const libraryMethods = {
  /** What could be installed: Andiron's own list, and Ollama's where it answers. */
  'library/catalogue': {
    params: none,
    result: lazyObject(() => ({ entries: z.array(catalogueEntrySchema) })),
  },
  /** Those that `model/pull` would refuse now, as the disk where Ollama keeps its models has no room for them. */
  'library/lacking-room': {
    params: lazyObject(() => ({ models: z.array(model).max(100) })),
    result: lazyObject(() => ({
      lacking: z.array(
        z.object({
          model,
          /** With what other downloads have still to write. */
          neededBytes: z.number().nonnegative(),
          freeBytes: z.number().nonnegative(),
        }),
      ),
    })),
  },
  /** Begins or goes on; told in the state's `pulls`. Refused where the disk has no room. */
  'model/pull': { params: lazyObject(() => ({ model })), result: none },
  /** What came stays on the disk. */
  'model/pull-pause': { params: lazyObject(() => ({ model })), result: none },
  /** No longer wanted: gone from the list; Ollama removes what came by itself. */
  'model/pull-forget': { params: lazyObject(() => ({ model })), result: none },
  /** Refused with `busy` while a turn uses it. */
  'model/delete': { params: lazyObject(() => ({ model })), result: none },
  'model/details': { params: lazyObject(() => ({ model })), result: modelDetailsSchema },
} as const;

export const fitMethods = {
  /** For each window, in the order asked; as a slider moves. An installed model, or one of the catalogue. */
  'model/fit': {
    params: lazyObject(() => ({ model, contextTokens: z.array(contextTokens).min(1).max(64) })),
    result: lazyObject(() => ({ fits: z.array(fitSchema) })),
  },
} as const;

export const loadMethods = {
  /** What it would cost, without doing it. */
  'model/price': { params: lazyObject(() => ({ model, contextTokens })), result: loadPriceSchema },
  /** The load that runs is given up; whoever waits for it is told. */
  'model/cancel-load': { params: none, result: none },
  /** Frees the GPU for something else, and remembers what was there. Refused with `busy` while a turn runs. */
  'engine/lend': { params: none, result: none },
  /** Brings back the same model with the same window. */
  'engine/take-back': { params: none, result: none },
} as const;

export const monitorMethods = {
  /** The last half hour, oldest first; from then on the state's `gpus` go on. */
  'engine/timeline': { params: none, result: lazyObject(() => ({ points: z.array(timelinePointSchema) })) },
  /** The runner's own account, asked now; null = it cannot be had here. */
  'runner/slots': {
    params: lazyObject(() => ({ model })),
    result: lazyObject(() => ({ slots: z.array(runnerSlotSchema).nullable() })),
  },
} as const;

export const setupMethods = {
  /** Download, check, unpack, start: only when a person asked for it. Told in the state's `setup`. */
  'setup/begin': { params: none, result: none },
  /** What was downloaded stays, and `setup/begin` goes on from there. */
  'setup/cancel': { params: none, result: none },
  /** The program and what was downloaded; models are kept unless asked for. */
  'setup/remove': { params: lazyObject(() => ({ models: z.boolean() })), result: none },
  /** A demo beside this Andiron, with data of its own. `address` null = it has a window of its own. */
  'demo/open': { params: none, result: lazyObject(() => ({ address: z.url().nullable() })) },
  /** Where Ollama is looked for besides `OLLAMA_HOST` and its usual address, in order. */
  'engine/set-hosts': {
    params: lazyObject(() => ({ hosts: z.array(z.string().min(1)).max(16) })),
    result: none,
  },
} as const;

export const cureMethods = {
  /** Host only. A warm-up was read again by the message that it was for, which is told among the incidents. */
  'incident/wasted-warm-up': {
    params: lazyObject(() => ({
      model,
      tokens: z.number().int().nonnegative(),
      costMs: z.number().nonnegative().nullable(),
    })),
    result: none,
  },
  /** Host only. An engine refused the grammar of a request: told among the incidents, in its own words. */
  'incident/refused-grammar': {
    params: lazyObject(() => ({ model, words: z.string().max(2_000) })),
    result: none,
  },
  /**
   * Host only. The model's slot is lost: unloads the model and loads it by the same plan, under the same
   * lease. Counted as an incident.
   */
  'lease/cure': {
    params: lazyObject(() => ({ leaseId: z.string() })),
    result: lazyObject(() => ({ tookMs: z.number().nonnegative() })),
  },
} as const;
