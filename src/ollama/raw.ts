/** Has a text evaluated as it is, without template and without an answer worth reading: warm-ups and probes. */
import type { GenerateRequest } from 'ollama';
import type { Clock } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import type { LoadPlan } from '../protocol/model.ts';
import { callOllama } from './client.ts';
import type { OpenConnection } from './connection.ts';
import { describeFailure } from './failures.ts';
import { rawReplySchema } from './schemas.ts';

export interface RawOptions {
  url: string;
  plan: LoadPlan;
  /** Not empty: that would be a load. Its leading BOS text is cut where the tokenizer adds one. */
  prompt: string;
  clock: Clock;
  /** Closes the connection at once: no line can wait for it, so no slot can be lost. */
  signal: AbortSignal;
  /** Only tests name another: one that brings bytes of their own. */
  connect?: OpenConnection;
}

/** Tokens and milliseconds as the engine counted them; null = it did not say. */
export interface RawCounters {
  promptTokens: number | null;
  cachedTokens: number | null;
  outputTokens: number | null;
  promptMs: number | null;
  loadMs: number | null;
}

/** Resolves when the text is in the engine's cache. Throws AndironError for every failure, or the signal's reason. */
export async function evaluateRaw(options: RawOptions): Promise<RawCounters> {
  const { url, plan } = options;
  const maxBytes = maxReplyBytes.load;
  const describe = (error: unknown): AndironError => describeFailure(error, plan.model);
  return callOllama({ ...options, maxBytes, describe }, async (client) => {
    const answer = await client.generate(toBody(options) as GenerateRequest & { stream: false });
    const reply = rawReplySchema.safeParse(answer);
    if (!reply.success || !reply.data.done) throw unended(url, reply.error);
    const { prompt_eval_count: promptTokens = null, prompt_eval_cached_count: cachedTokens = null } =
      reply.data;
    return {
      promptTokens,
      cachedTokens,
      outputTokens: reply.data.eval_count ?? null,
      promptMs: ms(reply.data.prompt_eval_duration),
      loadMs: ms(reply.data.load_duration),
    };
  });
}

function toBody({ plan, prompt }: RawOptions) {
  return {
    model: plan.model,
    prompt,
    raw: true,
    options: { ...plan.options, num_predict: 1 },
    truncate: false,
    shift: plan.shift,
    stream: false as const,
  };
}

const ms = (nanoseconds: number | undefined): number | null =>
  nanoseconds === undefined ? null : nanoseconds / 1e6;

/** With `stream:false` a reply that broke off comes with 200 and without `done`. */
function unended(url: string, cause: unknown): AndironError {
  return new AndironError(
    'stream_cut',
    `${url} ended its answer without saying that it was done.`,
    'Send again. If it happens again, restart Ollama.',
    { cause },
  );
}
