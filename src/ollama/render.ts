/** The prompt that Ollama would make of a chat, without an answer to it (`_debug_render_only`). */
import type { ChatRequest } from 'ollama';
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import type { LoadPlan } from '../protocol/model.ts';
import type { WireMessage, WireTool } from './chat.ts';
import { callOllama } from './client.ts';
import type { OpenConnection } from './connection.ts';
import { describeFailure, excerpt } from './failures.ts';

export interface RenderOptions {
  url: string;
  plan: LoadPlan;
  /** As `/api/chat` takes them. */
  messages: readonly Pick<WireMessage, 'role' | 'content'>[];
  /** Empty = the field is not sent. */
  tools: readonly WireTool[];
  /** undefined = the field is not sent. */
  think?: boolean | string | undefined;
  clock: Clock;
  signal: AbortSignal;
  /** Only tests name another: one that brings bytes of their own. */
  connect?: OpenConnection;
}

/** Beside a prompt a render is a refusal by the model or its template, in Ollama's words. */
export type RenderedPrompt = { prompt: string } | { refused: string };

const renderReplySchema = z
  .object({ _debug_info: z.object({ rendered_template: z.string() }) })
  .transform(({ _debug_info: { rendered_template: prompt } }) => ({ prompt }));

/** null = this server does not know renders. Throws AndironError for every failure of the engine, or the signal's reason. */
export async function renderPrompt(options: RenderOptions): Promise<RenderedPrompt | null> {
  const { model } = options.plan;
  const describe = (error: unknown): Error => {
    const refused = refusalIn(error, model);
    return refused === undefined ? describeFailure(error, model) : new Refused(refused);
  };
  try {
    const answer = await callOllama({ ...options, maxBytes: maxReplyBytes.render, describe }, (client) =>
      client.chat(toBody(options) as ChatRequest & { stream: false }),
    );
    return renderReplySchema.safeParse(answer).data ?? null;
  } catch (error) {
    if (error instanceof Refused) return { refused: error.message };
    throw error;
  }
}

/** Not a failure: it is what the template says to these messages. */
class Refused extends Error {}

function toBody({ plan, messages, tools, think }: RenderOptions) {
  return {
    model: plan.model,
    messages: [...messages],
    ...(tools.length > 0 && { tools: [...tools] }),
    ...(think !== undefined && { think }),
    // A server that does not know the flag answers: shortly, then.
    options: { ...plan.options, num_predict: 1 },
    truncate: false,
    shift: plan.shift,
    stream: false as const,
    _debug_render_only: true,
  };
}

const httpErrorSchema = z.object({
  error: z.string(),
  status_code: z.union([z.literal(400), z.literal(500)]),
});
const refusals = new Set(['template_refused', 'model_without_tools', 'engine_refused']);

/** Templates refuse with 400 or 500; so do engines that fail, but in words that are known. */
function refusalIn(error: unknown, model: string): string | undefined {
  const http = httpErrorSchema.safeParse(error);
  if (!http.success || !refusals.has(describeFailure(error, model).code)) return undefined;
  return excerpt(http.data.error);
}
