/** One streamed `POST /chat/completions`: whole chunks come out, each of them checked. */
import { AndironError } from '../../protocol/errors.ts';
import { NestedTooDeepError, parseJson } from '../../protocol/json.ts';
import { maxReplyBytes } from '../../protocol/limits.ts';
import { connectHost, textOf, type HostAccess } from './openai-connection.ts';
import {
  describeErrorChunk,
  describeRefusal,
  parseError,
  unreadable,
  type AskedHost,
} from './openai-failures.ts';
import { chunkSchema, errorBodySchema, type Chunk } from './openai-schemas.ts';
import { dataLines } from './openai-sse.ts';
import type { CompletionBody } from './openai-wire.ts';

/**
 * Ends where the host says so. Throws AndironError, or the reason of `access.signal`; the connection is
 * closed before that.
 */
export async function* streamCompletion(access: HostAccess, body: CompletionBody): AsyncGenerator<Chunk> {
  const { host } = access;
  const connection = connectHost(access);
  try {
    const response = await connection.send('/chat/completions', body.model, body);
    if (!isStream(response)) throw await oddAnswer(host, body.model, response);
    yield* chunksOf(response, host, body.model);
  } catch (error) {
    throw connection.failure(error);
  } finally {
    await connection.close();
  }
}

async function* chunksOf({ body }: Response, host: AskedHost, model: string): AsyncGenerator<Chunk> {
  let finished = false;
  for await (const data of body ? dataLines(body, host) : []) {
    if (data === '[DONE]') return;
    const chunk = parseChunk(data, host, model);
    finished ||= chunk.choices.some((choice) => Boolean(choice.finish_reason));
    yield chunk;
  }
  // Some hosts leave the last line out; without a reason for the end either, the answer was cut.
  if (finished) return;
  throw new AndironError(
    'stream_cut',
    `${host.name} ended the answer without saying that it was done.`,
    'What came so far is kept. Send the message again to go on.',
  );
}

function parseChunk(data: string, host: AskedHost, model: string): Chunk {
  let value: unknown;
  try {
    value = parseJson(data);
  } catch (error) {
    const what = error instanceof NestedTooDeepError ? 'is nested too deep' : 'is not JSON';
    throw unreadable(host, `a chunk ${what}`, data);
  }
  const failure = errorBodySchema.safeParse(value);
  if (failure.success) throw describeErrorChunk(host, model, failure.data);
  const chunk = chunkSchema.safeParse(value);
  if (!chunk.success) throw unreadable(host, 'a chunk has an unknown shape', data);
  return chunk.data;
}

function isStream(response: Response): boolean {
  const type = response.headers.get('content-type') ?? '';
  return type === '' || type.startsWith('text/event-stream');
}

/** LM Studio says 200 to addresses that it does not know; other programs answer with their page. */
async function oddAnswer(host: AskedHost, model: string, response: Response): Promise<AndironError> {
  const text = await textOf(response, maxReplyBytes.error);
  if (parseError(text)) return describeRefusal(host, model, 404, text);
  return unreadable(host, 'it is no stream of events', text);
}
