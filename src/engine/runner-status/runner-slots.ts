/** The runner's answer to `GET /slots` (docs/engine.md, Status of a runner). What looks different is no answer. */
import { z } from 'zod';
import { nodeHttp } from '../../platform/node-http.ts';
import { parseJson } from '../../protocol/json.ts';
import { maxReplyBytes } from '../../protocol/limits.ts';
import type { RunnerSlot } from '../../protocol/model.ts';

const tokens = z.number().int().nonnegative();
const nextTokenSchema = z.object({ n_decoded: tokens });

const usedSlotSchema = z.object({
  id: z.number().int(),
  is_processing: z.boolean(),
  id_task: z.number().int(),
  n_prompt_tokens: tokens,
  n_prompt_tokens_processed: tokens,
  n_prompt_tokens_cache: tokens,
  next_token: z.union([z.array(nextTokenSchema).min(1), nextTokenSchema.transform((only) => [only])]),
});
/** A slot that has never had a task says nothing about one, and holds nothing. */
const freshSlotSchema = z.object({
  id: z.number().int(),
  is_processing: z.literal(false),
  id_task: z.literal(-1).optional(),
  n_prompt_tokens: z.undefined().optional(),
});
const slotsSchema = z.array(z.union([usedSlotSchema, freshSlotSchema])).min(1);

/** Throws when the text is no such answer. */
export function parseSlots(text: string): RunnerSlot[] {
  return slotsSchema.parse(parseJson(text)).map((slot) => {
    const common = { id: slot.id, isProcessing: slot.is_processing };
    if (!('next_token' in slot)) {
      return {
        ...common,
        taskId: null,
        promptTokens: 0,
        processedTokens: 0,
        cachedTokens: 0,
        decodedTokens: 0,
      };
    }
    return {
      ...common,
      taskId: slot.id_task < 0 ? null : slot.id_task,
      promptTokens: slot.n_prompt_tokens,
      processedTokens: slot.n_prompt_tokens_processed,
      cachedTokens: slot.n_prompt_tokens_cache,
      decodedTokens: slot.next_token[0]?.n_decoded ?? 0,
    };
  });
}

export interface HttpAnswer {
  status: number;
  body: string;
}
export type HttpGet = (url: string, signal: AbortSignal) => Promise<HttpAnswer>;

/** One connection per question: nothing of ours stays open on a port that is not ours. */
export const getOnce: HttpGet = (url, signal) =>
  new Promise((resolve, reject) => {
    const request = nodeHttp().get(url, { agent: false, signal }, (response) => {
      let body = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        body += text;
        if (body.length > maxReplyBytes.slots) response.destroy(new Error('The answer is too long.'));
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
    });
    request.on('error', reject);
    // Also after an upgrade that nobody asked for, which Node ends without an error.
    request.on('close', () => reject(new Error('The connection was closed before the answer was complete.')));
  });
