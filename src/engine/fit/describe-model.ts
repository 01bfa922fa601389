/** The long answer of `/api/show`: per-layer lists and tensors are only in it, and so is the whole vocabulary (contract 1.4, 10). */
import { Ollama, type ShowRequest } from 'ollama';
import { openConnection, type OpenConnection } from '../../ollama/connection.ts';
import { describeFailure } from '../../ollama/failures.ts';
import type { Clock } from '../../platform/clock.ts';
import { numbersOf, verboseShowSchema, type ModelNumbers } from './numbers.ts';

/** null = the model says nothing that helps. Throws what Ollama answers, or the signal's reason. */
export type DescribeModel = (url: string, model: string, signal: AbortSignal) => Promise<ModelNumbers | null>;

/** Nothing of the answer but the numbers outlives the call. @param connect only tests name another. */
export function createDescribeModel(clock: Clock, connect: OpenConnection = openConnection): DescribeModel {
  return async (url, model, signal) => {
    const connection = connect(clock, signal);
    try {
      const client = new Ollama({ host: url, fetch: connection.fetch });
      const request: ShowRequest & { verbose: true } = { model, verbose: true };
      return readNumbers(await client.show(request));
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw describeFailure(error, model);
    } finally {
      await connection.closed();
    }
  };
}

/** Of any answer of `/api/show`, long or short. */
export function readNumbers(reply: unknown): ModelNumbers | null {
  const read = verboseShowSchema.safeParse(reply);
  return read.success ? numbersOf(read.data) : null;
}
