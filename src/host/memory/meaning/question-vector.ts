/** The vector of a question that somebody waits for. */
import type { Clock } from '../../../platform/clock.ts';
import { unlessAborted } from '../../../platform/event-loop.ts';
import type { Log } from '../../../platform/log.ts';
import { maxEmbedCharacters } from '../../../protocol/engine-methods.ts';
import type { EmbedAnswer } from '../../../protocol/engine-room.ts';
import type { EmbeddingModel, VectorEngine } from './embedding-model.ts';
import { toVector } from './nearest.ts';

export interface QuestionVectorDeps {
  engine: Pick<VectorEngine, 'embed'>;
  /** null = the model did not say how many; of a session or of none. */
  countTokens: (model: string, tokens: number | null, sessionId: string | null) => void;
  clock: Clock;
  log: Log;
}

export interface QuestionVector {
  digest: string;
  vector: Float32Array;
}

/** From a model that is loaded, and, where nobody needs the GPU, from one that has to be. */
const [maxMs, maxLoadMs] = [3_000, 15_000];

/** null = it takes too long. Rejects with the signal's reason alone. */
export async function questionVector(
  deps: QuestionVectorDeps,
  model: EmbeddingModel,
  question: { text: string; sessionId: string | null },
  signal: AbortSignal,
): Promise<QuestionVector | null> {
  const text = question.text.slice(0, maxEmbedCharacters);
  const ask = (isUrgent: boolean, ms: number): Promise<EmbedAnswer | null> =>
    within(deps, ms, signal, (until) => deps.engine.embed(model.name, [text], isUrgent, until));
  const now = await ask(true, maxMs);
  const found = now?.why === 'not_loaded' ? await ask(false, maxLoadMs) : now;
  const vector = toVector(found?.vectors?.[0] ?? []);
  if (!vector) return null;
  deps.countTokens(model.name, found?.tokens ?? null, question.sessionId);
  return { digest: model.digest, vector };
}

async function within(
  { clock, log }: Pick<QuestionVectorDeps, 'clock' | 'log'>,
  ms: number,
  stopped: AbortSignal,
  run: (signal: AbortSignal) => Promise<EmbedAnswer>,
): Promise<EmbedAnswer | null> {
  const late = new AbortController();
  const timer = clock.after(ms, () => late.abort());
  const signal = AbortSignal.any([stopped, late.signal]);
  try {
    return await unlessAborted(run(signal), signal);
  } catch (error) {
    stopped.throwIfAborted();
    log.info('A search was made by words alone', { reason: String(error) });
    return null;
  } finally {
    timer.cancel();
  }
}
