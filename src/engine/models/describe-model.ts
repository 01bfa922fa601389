/** The long answer of `/api/show`: per-layer lists and tensors are only in it, and so is the whole vocabulary. */
import { openConnection, type OpenConnection } from '../../ollama/connection.ts';
import { describeFailure } from '../../ollama/failures.ts';
import { readReply } from '../../ollama/reply.ts';
import type { Clock } from '../../platform/clock.ts';
import { parseJson } from '../../protocol/json.ts';
import { maxReplyBytes } from '../../protocol/limits.ts';
import { numbersOf, verboseShowSchema, type ModelNumbers } from './numbers.ts';

/** null = the model says nothing that helps. Throws what Ollama answers, or the signal's reason. */
export type DescribeModel = (url: string, model: string, signal: AbortSignal) => Promise<ModelNumbers | null>;

/** Nothing of the answer but the numbers outlives the call. @param connect only tests name another. */
export function createDescribeModel(clock: Clock, connect: OpenConnection = openConnection): DescribeModel {
  return async (url, model, signal) => {
    const connection = connect(clock, signal);
    try {
      const body = JSON.stringify({ model, verbose: true });
      const response = await connection.fetch(`${url}/api/show`, { method: 'POST', body });
      const reply: unknown = parseJson(await readReply(response, url, maxReplyBytes.verboseShow));
      if (!response.ok) throw describeFailure({ status_code: response.status, ...Object(reply) }, model);
      return readNumbers(reply);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      throw describeFailure(error, model);
    } finally {
      connection.finish();
      await connection.closed();
    }
  };
}

/** Of any answer of `/api/show`, long or short. */
export function readNumbers(reply: unknown): ModelNumbers | null {
  const read = verboseShowSchema.safeParse(reply);
  return read.success ? numbersOf(read.data) : null;
}
