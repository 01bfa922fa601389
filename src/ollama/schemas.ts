/** What Ollama may answer, as far as Andiron reads it. Unknown keys pass; wrong types do not. */
import { z } from 'zod';
import { lazyObject } from '../protocol/lazy-object.ts';

const count = z.number().int().nonnegative();

const toolCallSchema = z.object({
  id: z.string().optional(),
  function: z.object({
    index: z.number().int().optional(),
    name: z.string(),
    arguments: z.record(z.string(), z.unknown()),
  }),
});

/** Only the last line has counters, and zero ones are left out. Durations are nanoseconds. */
export const chatLineSchema = z.object({
  message: z.object({
    content: z.string(),
    thinking: z.string().optional(),
    tool_calls: z.array(toolCallSchema).optional(),
  }),
  done: z.boolean(),
  done_reason: z.string().optional(),
  load_duration: count.optional(),
  prompt_eval_count: count.optional(),
  /** 0.33.3 and later, last line only; absent = unknown, 0 = a real miss. */
  prompt_eval_cached_count: count.optional(),
  prompt_eval_duration: count.optional(),
  eval_count: count.optional(),
  eval_duration: count.optional(),
});
export type ChatLine = z.infer<typeof chatLineSchema>;

/** Of `/api/generate` without a stream, where only its counters matter. */
export const rawReplySchema = chatLineSchema.pick({
  done: true,
  load_duration: true,
  prompt_eval_count: true,
  prompt_eval_cached_count: true,
  prompt_eval_duration: true,
  eval_count: true,
});

export const errorLineSchema = z.object({ error: z.string() });

export const versionSchema = z.object({ version: z.string() });

const detailsSchema = z.object({
  family: z.string().default(''),
  parameter_size: z.string().default(''),
  quantization_level: z.string().default(''),
});

export const tagsSchema = lazyObject(() => ({
  models: z.array(
    z.object({
      name: z.string(),
      modified_at: z.string().default(''),
      size: z.number().default(0),
      digest: z.string().default(''),
      details: detailsSchema,
      /** Set on stubs of cloud models. */
      remote_host: z.string().optional(),
    }),
  ),
}));
export type TagsReply = z.infer<typeof tagsSchema>;

export const showSchema = lazyObject(() => ({
  capabilities: z.array(z.string()).optional(),
  details: detailsSchema.optional(),
  model_info: z.record(z.string(), z.unknown()).optional(),
  template: z.string().optional(),
  modelfile: z.string().optional(),
  /** Texts for a person only: another type is no reason to refuse the rest. */
  license: z.string().optional().catch(undefined),
  parameters: z.string().optional().catch(undefined),
  thinking: z
    .object({ values: z.array(z.union([z.boolean(), z.string()])), default: z.unknown().optional() })
    .optional(),
}));
export type ShowReply = z.infer<typeof showSchema>;

export const psSchema = lazyObject(() => ({
  models: z.array(
    z.object({
      name: z.string(),
      size: z.number(),
      size_vram: z.number().default(0),
      digest: z.string().default(''),
      expires_at: z.string().default(''),
      context_length: z.number().int().optional(),
      runner: z.string().optional(),
    }),
  ),
}));
export type PsReply = z.infer<typeof psSchema>;

/** The one answer to a load or unload: a bare object, never a stream. */
export const loadReplySchema = lazyObject(() => ({ done: z.boolean(), done_reason: z.string().optional() }));

export const embedReplySchema = lazyObject(() => ({
  embeddings: z.array(z.array(z.number())),
  prompt_eval_count: count.optional(),
}));
export type EmbedReply = z.infer<typeof embedReplySchema>;
