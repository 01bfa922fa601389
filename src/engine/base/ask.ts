/** One short question to Ollama. Loads are no short questions: they take as long as they take. */
import type { Clock } from '../../platform/clock.ts';
import { AndironError } from '../../protocol/errors.ts';
import { DeadlineExceeded, withDeadline } from './timing.ts';

/** What does not come in time, or breaks off, is `engine_unavailable`; Ollama's own errors stay as they are. */
export async function ask<T>(clock: Clock, ms: number, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  try {
    return await withDeadline(clock, ms, run);
  } catch (error) {
    if (!(error instanceof DeadlineExceeded) && !isConnectionLoss(error)) throw error;
    throw new AndironError(
      'engine_unavailable',
      'Ollama does not answer.',
      'Look at Ollama in the settings, under Engine.',
      {
        cause: error,
      },
    );
  }
}

export function isConnectionLoss(error: unknown): boolean {
  return (
    error instanceof AndironError && (error.code === 'engine_unavailable' || error.code === 'stream_cut')
  );
}
