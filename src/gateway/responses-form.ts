/** OpenAI's Responses API as far as it is spoken here: what may be asked, and the form of an answer. */
import { z } from 'zod';
import { messageSchema, textFormatSchema } from './chat-request.ts';

export const responseRequestSchema = z.object({
  model: z.string().min(1).max(200).describe('The id of a profile.'),
  input: z
    .union([
      z.string(),
      z
        .array(
          z.union([
            messageSchema,
            // Of an answer that is sent back: the session has them.
            z.object({ type: z.enum(['reasoning', 'mcp_call']) }).transform(() => null),
          ]),
        )
        .min(1)
        .max(10_000),
    ])
    .describe('A text, or messages of which the last one is answered.'),
  instructions: z.string().nullish().describe('Stands before the message.'),
  previous_response_id: z.string().max(200).nullish(),
  stream: z.boolean().nullish(),
  store: z.boolean().nullish().describe('Conversations are always kept.'),
  metadata: z.record(z.string().max(64), z.string().max(512)).nullish(),
  text: z.looseObject({ format: textFormatSchema.nullish() }).nullish(),
  background: z.literal(false, 'nothing runs in the background').nullish(),
  conversation: z.null('name the response before instead').optional(),
});
export type ResponseRequest = z.output<typeof responseRequestSchema>;

const textPartSchema = z.object({
  type: z.literal('output_text'),
  text: z.string(),
  annotations: z.array(z.never()),
  logprobs: z.array(z.never()),
});
export type TextPart = z.infer<typeof textPartSchema>;

const messageItemSchema = z.object({
  id: z.string(),
  type: z.literal('message'),
  status: z.enum(['in_progress', 'completed', 'incomplete']),
  role: z.literal('assistant'),
  content: z.array(textPartSchema),
});

/** A tool of the agent in the standard's form of one that a server has run. */
const toolItemSchema = z.object({
  id: z.string(),
  type: z.literal('mcp_call'),
  server_label: z.literal('andiron'),
  name: z.string(),
  arguments: z.string(),
  status: z.enum(['in_progress', 'completed', 'failed']),
  output: z.string().nullable(),
  error: z.string().nullable(),
});

const outputItemSchema = z.union([messageItemSchema, toolItemSchema]);
export type OutputItem = z.infer<typeof outputItemSchema>;

export const responseSchema = z.object({
  id: z.string(),
  object: z.literal('response'),
  created_at: z.number().int(),
  status: z.enum(['in_progress', 'completed', 'incomplete', 'failed']),
  model: z.string(),
  output: z.array(outputItemSchema),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  incomplete_details: z.object({ reason: z.literal('max_output_tokens') }).nullable(),
  instructions: z.string().nullable(),
  previous_response_id: z.string().nullable(),
  metadata: z.record(z.string(), z.string()),
  store: z.literal(true),
  parallel_tool_calls: z.literal(false),
  tool_choice: z.literal('auto'),
  tools: z.array(z.never()),
  usage: z
    .object({
      input_tokens: z.number().int(),
      input_tokens_details: z.object({ cached_tokens: z.number().int() }),
      output_tokens: z.number().int(),
      output_tokens_details: z.object({ reasoning_tokens: z.number().int() }),
      total_tokens: z.number().int(),
    })
    .nullable(),
});
export type ResponseBody = z.infer<typeof responseSchema>;

export const responseEventSchema = z
  .looseObject({ type: z.string(), sequence_number: z.number().int().nonnegative() })
  .describe('One of the typed events of the Responses API.');
export type ResponseEvent = z.infer<typeof responseEventSchema>;
