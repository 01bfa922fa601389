/** Ollama's library: pull, delete, suggestions. */
import { z } from 'zod';
import type { Clock } from '../platform/clock.ts';
import { AndironError } from '../protocol/errors.ts';
import { parseJson } from '../protocol/json.ts';
import { lazyObject } from '../protocol/lazy-object.ts';
import { maxReplyBytes } from '../protocol/limits.ts';
import { callOllama } from './client.ts';
import { endpointOf, openConnection, type OpenConnection } from './connection.ts';
import { describeFailure, excerpt } from './failures.ts';
import { describePullError, pullFailures } from './pull-failures.ts';
import { readReply } from './reply.ts';
import { streamLines } from './stream.ts';

/** More than any disk holds: whoever says more says nothing. */
const maxBytes = 2 ** 50;
/** Of texts that are meant for a person; a server may send any length. */
const maxTextLength = 500;

/** Sizes that make no sense are unknown: the download itself may be all right. */
const bytes = z.lazy(() => z.number().int().nonnegative().max(maxBytes).optional().catch(undefined));
const text = z.lazy(() => z.string().transform((value) => excerpt(value, maxTextLength)));

/** `digest` names a layer, or `sha256:model` for all of them together; zero bytes are left out. */
export const pullLineSchema = z.lazy(() =>
  z
    .object({
      status: text,
      digest: text.optional().catch(undefined),
      total: bytes,
      completed: bytes,
    })
    .transform((line) => ({ ...line, done: line.status === 'success' })),
);
export type PullLine = z.output<typeof pullLineSchema>;

const recommendationSchema = lazyObject(() => ({
  model: text.pipe(z.string().min(1)),
  description: text.catch(''),
  context_length: z.number().int().positive().max(maxBytes).optional().catch(undefined),
  vram_bytes: bytes,
  /** Of models that run on ollama.com. */
  required_plan: text.optional().catch(undefined),
}));
export type Recommendation = z.output<typeof recommendationSchema>;
const recommendationsSchema = z.object({ recommendations: z.array(z.unknown()) });

export interface LibraryApi {
  /**
   * Yields every line, the last one with `done`. Throws AndironError, or the signal's reason: an abort closes the
   * connection, Ollama stops unless another client pulls the same, and what came stays on its disk.
   */
  pull(url: string, model: string, signal: AbortSignal): AsyncIterable<PullLine>;
  /** A loaded runner of it stays, and this name no longer unloads it. */
  remove(url: string, model: string, signal: AbortSignal): Promise<void>;
  /** What Ollama suggests; throws where its cloud is switched off. Entries that make no sense are left out. */
  recommendations(url: string, signal: AbortSignal): Promise<Recommendation[]>;
}

/** @param connect only tests name another: one that brings bytes of their own. */
export function createLibraryApi(clock: Clock, connect: OpenConnection = openConnection): LibraryApi {
  return {
    pull: (url, model, signal) =>
      streamLines({
        url,
        clock,
        signal,
        connect,
        schema: pullLineSchema,
        failures: pullFailures(model),
        path: '/api/pull',
        body: { model, stream: true },
        describe: (error) => describePullFailure(error, model),
      }),
    async remove(url, model, signal) {
      const describe = (error: unknown): AndironError => describeFailure(error, model);
      const maxBytes = maxReplyBytes.load;
      await callOllama({ url, clock, signal, maxBytes, describe, connect }, (client) =>
        client.delete({ model }),
      );
    },
    async recommendations(url, signal) {
      const connection = connect(clock, signal);
      try {
        const response = await connection.fetch(endpointOf(url, '/api/experimental/model-recommendations'));
        const text = await readReply(response, url, maxReplyBytes.recommendations);
        const reply = recommendationsSchema.safeParse(jsonIn(text));
        if (!response.ok || !reply.success)
          throw new AndironError('engine_refused', 'Ollama suggests nothing.');
        return reply.data.recommendations
          .slice(0, maxRecommendations)
          .flatMap((each) => recommendationSchema.safeParse(each).data ?? []);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        throw describeFailure(error, '');
      } finally {
        connection.finish();
        await connection.closed();
      }
    },
  };
}

const maxRecommendations = 100;

/** undefined = no JSON: not an Ollama that knows this question. */
function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}

const httpErrorSchema = z.object({ error: z.string(), status_code: z.number() });

function describePullFailure(error: unknown, model: string): AndironError {
  const refused = httpErrorSchema.safeParse(error);
  if (refused.success) return describePullError(model, refused.data.error);
  const described = describeFailure(error, model);
  const isPlainBreak = described.code === 'stream_cut' && !(error instanceof AndironError);
  return isPlainBreak ? pullFailures(model).cut(error) : described;
}
