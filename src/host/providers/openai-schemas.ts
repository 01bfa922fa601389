/** What an OpenAI-compatible host may answer, as far as Andiron reads it. Unknown keys pass; wrong types do not. */
import { z } from 'zod';
import { lazyObject } from '../../protocol/lazy-object.ts';

const count = z.number().int().nonnegative();
const durationMs = z.number().nonnegative();

const callDeltaSchema = lazyObject(() => ({
  /** Some hosts leave it out, and send every call whole. */
  index: z.number().int().nonnegative().nullish(),
  id: z.string().nullish(),
  function: z.object({ name: z.string().nullish(), arguments: z.string().nullish() }).nullish(),
}));
export type CallDelta = z.infer<typeof callDeltaSchema>;

/** Loose: reasoning comes in fields whose names only their host knows (K1). */
const deltaSchema = z.looseObject({
  content: z.string().nullish(),
  tool_calls: z.array(callDeltaSchema).nullish(),
});
export type Delta = z.infer<typeof deltaSchema>;

/** The usage comes with a chunk of its own that has no choices, or with the last one; `timings` are llama-server's. */
export const chunkSchema = lazyObject(() => ({
  model: z.string().optional(),
  choices: z.array(z.object({ delta: deltaSchema.nullish(), finish_reason: z.string().nullish() })),
  usage: z
    .object({
      prompt_tokens: count.nullish(),
      completion_tokens: count.nullish(),
      prompt_tokens_details: z.object({ cached_tokens: count.nullish() }).nullish(),
    })
    .nullish(),
  timings: z
    .object({
      cache_n: count.optional(),
      prompt_n: count.optional(),
      prompt_ms: durationMs.optional(),
      predicted_n: count.optional(),
      predicted_ms: durationMs.optional(),
    })
    .optional(),
}));
export type Chunk = z.infer<typeof chunkSchema>;

const errorFields = lazyObject(() => ({
  message: z.string(),
  type: z.string().nullish(),
  code: z.union([z.number(), z.string()]).nullish(),
  n_prompt_tokens: z.number().optional(),
  n_ctx: z.number().optional(),
}));
export type HostError = z.infer<typeof errorFields>;

const inWords = (message: string): HostError => ({ message });

/** The shapes of errors: an object under `error`, a text there, the fields bare (older vLLM), FastAPI's `detail`. */
export const errorBodySchema = z.lazy(() =>
  z.union([
    z.object({ error: errorFields }).transform(({ error }) => error),
    z.object({ error: z.string() }).transform(({ error }) => inWords(error)),
    z.object({ object: z.literal('error') }).and(errorFields),
    z.object({ detail: z.string() }).transform(({ detail }) => inWords(detail)),
    z
      .object({ detail: z.array(z.object({ msg: z.string() })).min(1) })
      .transform(({ detail }) => inWords(detail.map(({ msg }) => msg).join('; '))),
  ]),
);

/** `GET /models`: the window's size is where llama-server and vLLM put it. */
/** Not every host means a number by it. */
const contextSize = z.number().int().positive().nullish().catch(null);

/** There is no common name for the context that a model has: each kind of host has its own. */
export const modelListSchema = lazyObject(() => ({
  data: z.array(
    z.object({
      id: z.string().min(1),
      max_model_len: contextSize,
      meta: z.object({ n_ctx: contextSize }).nullish().catch(null),
      context_length: contextSize,
      context_window: contextSize,
      max_context_length: contextSize,
    }),
  ),
}));
