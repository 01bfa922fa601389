/** The form of OpenAI's chat completions. */
import { z } from 'zod';

const usageSchema = z.object({
  prompt_tokens: z.number().int(),
  completion_tokens: z.number().int(),
  total_tokens: z.number().int(),
  prompt_tokens_details: z.object({ cached_tokens: z.number().int() }),
});
export type ChatUsage = z.infer<typeof usageSchema>;

const finishSchema = z.enum(['stop', 'length']);
const common = { id: z.string(), created: z.number().int(), model: z.string() };

export const completionSchema = z.object({
  ...common,
  object: z.literal('chat.completion'),
  choices: z.array(
    z.object({
      index: z.literal(0),
      message: z.object({ role: z.literal('assistant'), content: z.string(), refusal: z.null() }),
      logprobs: z.null(),
      finish_reason: finishSchema,
    }),
  ),
  usage: usageSchema,
});
export type Completion = z.infer<typeof completionSchema>;

export const chunkSchema = z.object({
  ...common,
  object: z.literal('chat.completion.chunk'),
  choices: z.array(
    z.object({
      index: z.literal(0),
      delta: z.object({ role: z.literal('assistant').optional(), content: z.string().optional() }),
      finish_reason: finishSchema.nullable(),
    }),
  ),
  usage: usageSchema.optional(),
});
export type Chunk = z.infer<typeof chunkSchema>;

export const modelListSchema = z.object({
  object: z.literal('list'),
  data: z.array(
    z.object({
      id: z.string(),
      object: z.literal('model'),
      created: z.literal(0),
      owned_by: z.literal('andiron'),
    }),
  ),
});
export type ModelList = z.infer<typeof modelListSchema>;
